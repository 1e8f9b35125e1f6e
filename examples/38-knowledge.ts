// Adds a folder of documents, searches them by words and vectors, and gives them to a model with their source.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent } from 'echelon/chat'
import { knowledge, knowledgeBase } from '@echelon/knowledge'
import { openKnowledge } from '@echelon/store'
import { promptText, scriptedModel } from 'echelon/testing'

const folder = await mkdtemp(join(tmpdir(), 'echelon-knowledge-'))
await writeFile(join(folder, 'refunds.md'), '# Refunds\n\nMoney is back within 14 days.\n')
await writeFile(join(folder, 'hours.csv'), 'day,opens\nMonday,9:00\nSunday,closed\n')
await writeFile(join(folder, 'broken.pdf'), 'This is not a PDF.')

const store = await openKnowledge(join(folder, 'knowledge.db'))
const base = knowledgeBase({ store, root: folder })
const { added, failed } = await base.add('.')
console.log(added.join(' '), '|', failed.map(({ source }) => source).join(' '))
// Nothing has changed, so only the unreadable document is tried again.
console.log('unchanged:', (await base.add('.')).unchanged.length)

const [best] = await base.search('When is refunded money back?', { limit: 1 })
console.log(best?.source, best?.headings, best?.text)

// A scripted model stands for a real one.
const model = scriptedModel([{ text: 'Within 14 days [1].' }, { text: 'I do not know.' }])
const agent = createAgent({ model, use: [knowledge({ base })] })
for (const question of ['When is refunded money back?', 'Who painted the chapel?']) {
  const run = agent.run(question)
  for await (const event of run) {
    if (event.type === 'middleware') console.log(event.event)
  }
  console.log((await run.result).text)
}
const [first] = model.calls
console.log(first === undefined ? '' : /<document .*>/.exec(promptText(first))?.[0])

await store.close()
await rm(folder, { recursive: true })
