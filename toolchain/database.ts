/**
 * Starts PostgreSQL on this machine until Ctrl-C, for those without Docker: `npm run database -- [PORT]`. Its
 * data stays in `.echelon/database`.
 */
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { startPostgres } from './postgres-server.ts'

const DEFAULT_PORT = 5433
const folder = resolve('.echelon/database')
mkdirSync(folder, { recursive: true })

const port = Number(process.argv[2] ?? DEFAULT_PORT)
const server = await startPostgres({ folder, port })
let isStopping = false
const stop = (): void => {
  if (isStopping) return
  isStopping = true
  void server.stop()
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
process.stdout.write(`PostgreSQL is at ${server.url}\nCtrl-C stops it; its data is in ${folder}\n`)
