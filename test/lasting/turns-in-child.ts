/**
 * Three turns of a session and a fourth one, in which the process dies before one of its appends.
 * Arguments: the store's file, the tool's file, the number of appends of the fourth turn that succeed.
 */
import { openStore } from '@echelon/store'
import { assistant, die, sending } from './assistant.ts'

const [file = '', acts = '', appends = '0'] = process.argv.slice(2)

const store = await openStore(file)
const agent = assistant({ store, tools: [sending(acts)] })
const session = await agent.openSession('ada')
for (const text of ['one', 'two', 'three']) await agent.run(text, { session }).result

let left = Number(appends)
const append = store.runs.append.bind(store.runs)
store.runs.append = (run, entries, beside) => {
  if (left-- === 0) die()
  return append(run, entries, beside)
}
await agent.run('send it', { session }).result
await store.close()
