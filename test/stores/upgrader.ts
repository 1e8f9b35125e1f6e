import { Database } from '../../packages/store/src/sqlite/file/database.ts'
import { NEXT_VERSION } from './next-version.ts'

/** Upgrades a file on command: `upgrader.ts FILE`. */
const [file = ''] = process.argv.slice(2)
process.send?.('ready')
await new Promise((resolve) => process.once('message', resolve))
const db = await Database.open(file, NEXT_VERSION)
db.close()
process.disconnect?.()
