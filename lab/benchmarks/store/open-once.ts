/** Opens a file and prints the time, as the first opening in this process. */
import { openStore } from '@echelon/store'

const [path = ''] = process.argv.slice(2)
const began = performance.now()
const store = await openStore(path)
console.log(JSON.stringify([performance.now() - began]))
await store.close()
