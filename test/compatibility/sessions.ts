/** A client that is generated; a session of it with the service prints `passed: …` for each step. */
export interface Session {
  readonly name: string;
  readonly needs: readonly string[];
  /** What has to be installed first, besides a runtime. */
  readonly uses: readonly ("generator" | "python" | "node")[];
  /** Bash, after `shellFunctions`. `$SESSIONS` is the folder of the programs, `$URL` the service. */
  readonly script: string;
}

export const GENERATOR = "7.25.0";

const tsc = "../node_modules/.bin/tsc --noEmit --strict --skipLibCheck --target es2022 --module nodenext";
const oapiCodegen = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";

/** `generate <document> <generator> [<properties>]` makes a client in a folder, and goes there. */
export const shellFunctions = `
generate() {
  java -jar openapi-generator-cli-${GENERATOR}.jar generate -i $1 -g $2 -o $2 \${3:+--additional-properties=$3} >log
  if grep 'Inline schema created' log; then exit 1; fi
  cd $2
}`;

function generated(name: string, needs: readonly string[], script: string): Session {
  const uses = (["node", "python"] as const).filter((each) => needs.some((need) => need.startsWith(each)));
  return { name: `client: ${name}`, needs: ["java", "mvn", ...needs], uses: ["generator", ...uses], script };
}

export const sessions: readonly Session[] = [
  generated(
    "python",
    ["python3"],
    "generate openapi.json python; PYTHONPATH=. ../tools/bin/python $SESSIONS/session.py $URL",
  ),
  generated(
    "go",
    ["go"],
    `generate openapi.json go; mkdir session; cp $SESSIONS/session.go session/main.go
rm -r test # It imports a module that has to be published first.
go mod edit -module openapi; go mod tidy; go vet ./...; go run ./session $URL`,
  ),
  generated(
    "java",
    [],
    `generate openapi.json java; cp $SESSIONS/Session.java .
mvn -q -B -DskipTests compile dependency:build-classpath -Dmdep.outputFile=classpath >&2
java -cp target/classes:$(cat classpath) Session.java $URL`,
  ),
  ...["axios", "fetch"].map((library) =>
    generated(
      `typescript-${library}`,
      ["node"],
      `generate openapi.json typescript-${library} importFileExtension=.js; ${tsc} index.ts`,
    ),
  ),
  generated("rust", ["cargo"], "generate objects.json rust; cargo check -q"),
  {
    name: "oapi-codegen",
    needs: ["go"],
    uses: [],
    script: `mkdir oapi; cd oapi; echo module session >go.mod
go run ${oapiCodegen} -generate types,client -package client -o client.go ../openapi.json
go mod tidy; go vet .`,
  },
  {
    name: "openapi-python-client",
    needs: ["python3"],
    uses: ["python"],
    script: `tools/bin/openapi-python-client generate --path openapi.json --output-path other --meta none >&2
tools/bin/python -m compileall -q other; tools/bin/python -c 'import other.models'`,
  },
  {
    name: "fastmcp",
    needs: ["python3"],
    uses: ["python"],
    script: "tools/bin/python $SESSIONS/bridge.py $URL",
  },
];
