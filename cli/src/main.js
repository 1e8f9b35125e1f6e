#!/usr/bin/env node
// JavaScript without imports: an older Node must get as far as this sentence.
const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(
    `echelon needs Node 24 or newer, and this is Node ${process.versions.node}: install it from https://nodejs.org and run the command again.\n`,
  )
  process.exitCode = 2
} else {
  if (import.meta.url.endsWith('/src/main.js')) {
    // Compiling the source takes most of a short command's time. Where the folder cannot be written,
    // Node compiles each time.
    const { enableCompileCache } = await import('node:module')
    enableCompileCache(`${import.meta.dirname}/../../node_modules/.cache/compiled`)
  }
  const { processIo } = await import('./process-io.ts')
  const { runProgram } = await import('./program.ts')
  process.exitCode = await runProgram(process.argv.slice(2), processIo())
}
