/** A session of a client, whose steps print `passed: …`. */
export interface Session {
  readonly name: string;
  readonly needs: readonly string[];
  /** What has to be installed first, besides a runtime. */
  readonly uses: readonly ("generator" | "python" | "node")[];
  /** Bash, after `shellFunctions`. `$SESSIONS` is the folder of the programs, `$URL` the service. */
  readonly script: string;
}

export const GENERATOR = "7.25.0";

const tsc = "../node_modules/.bin/tsc --strict --skipLibCheck --target es2022 --module nodenext --types node";
const oapiCodegen = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";

/** `generate <document> <generator> [<properties>]` makes a client in a folder, and goes there. */
export const shellFunctions = `
generate() {
  java -jar openapi-generator-cli-${GENERATOR}.jar generate -i $1 -g $2 -o $2 \${3:+--additional-properties=$3} >log
  if grep 'Inline schema created' log; then exit 1; fi
  cd $2
}
run_java() {
  mvn -q -B -DskipTests compile dependency:build-classpath -Dmdep.outputFile=classpath >&2
  java -cp target/classes:$(cat classpath) $1 $URL
}
run_typescript() {
  cp $SESSIONS/$1.ts .
  ${tsc} --outDir out $1.ts
  node out/$1.js $URL
}`;

function generated(name: string, needs: readonly string[], script: string): Session {
  const uses = ["generator", ...(needs.includes("node") ? (["node"] as const) : [])] as const;
  return { name: `client: ${name}`, needs: ["java", "mvn", ...needs], uses, script };
}

/** PHP's client uses Guzzle, from Debian's package php-guzzlehttp-guzzle. */
const guzzle = "/usr/share/php/GuzzleHttp/autoload.php";

export const pythonSession: Session = {
  ...generated(
    "python",
    ["python3"],
    "generate openapi.json python; PYTHONPATH=. ../tools/bin/python $SESSIONS/session.py $URL",
  ),
  uses: ["generator", "python"],
};

export const sessions: readonly Session[] = [
  pythonSession,
  generated(
    "go",
    ["go"],
    `generate openapi.json go; mkdir session; cp $SESSIONS/session.go session/main.go
rm -r test # It imports a module that has to be published first.
go mod edit -module openapi; go mod tidy; go vet ./...; go run ./session $URL`,
  ),
  generated("java", [], "generate openapi.json java; cp $SESSIONS/Session.java .; run_java Session.java"),
  ...[
    ["axios", "session"],
    ["fetch", "fetch"],
  ].map(([library, session]) =>
    generated(
      `typescript-${library}`,
      ["node"],
      `generate openapi.json typescript-${library} importFileExtension=.js; run_typescript ${session}`,
    ),
  ),
  generated(
    "rust",
    ["cargo"],
    `generate objects.json rust; mkdir src/bin; cp $SESSIONS/session.rs src/bin
cargo add -q tokio --features macros,rt-multi-thread; cargo run -q --bin session -- $URL`,
  ),
  generated(
    "kotlin",
    [],
    `generate objects.json kotlin serializationLibrary=jackson,enumPropertyNaming=UPPERCASE
cp $SESSIONS/pom.xml .; cp $SESSIONS/session.kt src/main/kotlin; run_java SessionKt`,
  ),
  generated(
    "php",
    ["php", guzzle],
    "generate objects.json php; cp $SESSIONS/session.php .; php session.php $URL",
  ),
  {
    name: "oapi-codegen",
    needs: ["go"],
    uses: [],
    script: `mkdir oapi; cd oapi; cp $SESSIONS/oapi.go main.go; echo module session >go.mod
go run ${oapiCodegen} -generate types,client -package main -o client.go ../openapi.json
go mod tidy; go vet .; go run . $URL`,
  },
  {
    name: "openapi-python-client",
    needs: ["python3"],
    uses: ["python"],
    script: `tools/bin/openapi-python-client generate --path openapi.json --output-path other --meta none >&2
PYTHONPATH=. tools/bin/python $SESSIONS/client.py $URL`,
  },
  {
    name: "fastmcp",
    needs: ["python3"],
    uses: ["python"],
    script: "tools/bin/python $SESSIONS/bridge.py $URL",
  },
];
