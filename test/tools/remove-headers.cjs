// Deletes the C headers of the project's Node after the installation: 67 MB, and no package here is compiled.
const { readdirSync, rmSync } = require("node:fs");
const { join } = require("node:path");

const packages = join(__dirname, "..", "..", "node_modules");
for (const name of readdirSync(packages))
  if (name.startsWith("node-")) rmSync(join(packages, name, "include"), { recursive: true, force: true });
