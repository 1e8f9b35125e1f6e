/**
 * Starts a server and two workers on the database of `npm run database`, until Ctrl-C:
 * `npm run fleet -- [URL] [AGENT...]`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { studioPage } from './studio-page.ts'

const DEFAULT_DATABASE = 'postgres://echelon@127.0.0.1:5433/postgres'
const MAIN = join(import.meta.dirname, '../cli/src/main.js')

studioPage()
const [database = DEFAULT_DATABASE, ...agents] = process.argv.slice(2)
const names = ['serve', 'worker', 'worker']
const children: ChildProcess[] = names.map((name) =>
  spawn(process.execPath, ['--conditions=echelon-source', MAIN, name, ...agents], {
    stdio: ['ignore', 'inherit', 'inherit'],
    // An argument would show its password to all users of the machine.
    env: { ...process.env, ECHELON_DATABASE: database },
  }),
)
for (const [at, child] of children.entries()) console.log(`${names[at]}: process ${child.pid}`)
const stop = (): void => {
  for (const child of children) child.kill('SIGTERM')
}
// Ctrl-C reaches the children by itself.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', stop)
const [server] = children
server?.once('exit', (code) => {
  stop()
  process.exitCode = code ?? 1
})
