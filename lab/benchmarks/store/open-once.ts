/** Opens a file and prints how long it took: the first opening of this process. */
import { openStore } from '@echelon/store'

const [path = ''] = process.argv.slice(2)
const began = performance.now()
const store = await openStore(path)
console.log(JSON.stringify([performance.now() - began]))
await store.close()
