/**
 * Trains the classifiers of the support agent on the examples that come along, so that no process has to:
 * `npm run train`, after a change of `packages/support/config` or `packages/support/knowledge`.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fit } from 'echelon/internal/classify'
import { loadIntents } from '../packages/support/src/defaults/intents-file.ts'
import { loadSections, shippedFolder } from '../packages/support/src/defaults/knowledge-folder.ts'
import { loadPolicies } from '../packages/support/src/defaults/policies-file.ts'
import { trainedFile, trainedFolder } from '../packages/support/src/defaults/trained-models.ts'
import { passagesOfRules } from '../packages/support/src/knowledge/rules-in-words.ts'
import { rowsOfSections } from '../packages/support/src/knowledge/search-sections.ts'
import {
  replyRows,
  rowsOfFollowUps,
  rowsOfRequests,
  trained,
} from '../packages/support/src/understand/learned-classifier.ts'
import { keyOf } from '../packages/support/src/understand/learning/trained-models.ts'

const { config } = await loadIntents()
const rules = await loadPolicies()
const requests = rowsOfRequests(config.intents, config.outOfScope ?? [], config)
const followUps = rowsOfFollowUps(config.intents, config)
const replies = replyRows(config.intents, config)
const sections = rowsOfSections(await loadSections(shippedFolder(), passagesOfRules(rules)))

const files = [
  ['requests', requests, trained(requests).model],
  ['follow-ups', followUps, trained(followUps).model],
  ['replies', replies, trained(replies).model],
  ['sections', sections, fit(sections)],
] as const
await rm(trainedFolder(), { recursive: true, force: true })
await mkdir(trainedFolder(), { recursive: true })
for (const [name, rows, model] of files) {
  const bytes = trainedFile(keyOf(rows), model)
  await writeFile(join(trainedFolder(), `${name}.bin`), bytes)
  process.stdout.write(
    `${name}: ${rows.length} examples, ${model.planes.length} labels, ${Math.round(bytes.length / 1000)} kB\n`,
  )
}
