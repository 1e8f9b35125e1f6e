/**
 * Scans the repository for secrets, licenses, install scripts and vulnerabilities, and writes a report.
 * `npm run security -- [FILE] [--metrics FILE]`: FILE is written, by default `out/security.json`;
 * `--metrics` names the metrics.json of an evaluation. Run it from the root of the repository.
 * Exit status 1 if a part fails; an unavailable one is printed and does not fail the scan.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { hostileCases } from './security/hostile-cases.ts'
import { installScripts } from './security/install-scripts.ts'
import { licenses } from './security/licenses.ts'
import { lineOf, scan } from './security/report.ts'
import { secrets } from './security/secrets.ts'
import { vulnerabilities } from './security/vulnerabilities.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { metrics: { type: 'string' } },
})
const [file = 'out/security.json'] = positionals
const root = process.cwd()

const checks = [
  secrets(root),
  licenses(root),
  installScripts(root),
  hostileCases(values.metrics),
  vulnerabilities(root),
]
const report = await scan(root, checks, new Date())

mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
for (const part of report.parts) console.log(lineOf(part))
console.log(`${report.result}: ${file}`)
process.exitCode = report.result === 'fail' ? 1 : 0
