import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEFAULT_INTENT } from '../intent/intent.ts'
import { memoryText, readMemoryText } from './memory-text.ts'

const GOOD = `${memoryText({ ...DEFAULT_INTENT, patterns: {} })}\n`

const problemOf = (text: string): Promise<string> =>
  readMemoryText('intent', text, 'intent.json').then(
    () => 'none',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )

describe('[L-1] the line of a JSON error', () => {
  const cases: readonly (readonly [what: string, text: string, line: number])[] = [
    ['a word without quotes', GOOD.replace('["family', '[oops, "family'), 2],
    ['single quotes', GOOD.replace('"sycophancy"', "'sycophancy'"), 4],
    ['two commas', GOOD.replace('"endless analysis",', '"endless analysis",,'), 4],
    ['a comma too many', GOOD.replace('"sycophancy"]', '"sycophancy",]'), 4],
    ['a comma too few', GOOD.replace('task manager",', 'task manager"'), 4],
    ['a comment', GOOD.replace('  "non_goals"', '  // mine\n  "non_goals"'), 4],
    ['a line end in a text', GOOD.replace('not a task', 'not a\ntask'), 3],
    ['an end too early', GOOD.slice(0, GOOD.indexOf('manager')), 3],
    ['nothing', '', 1],
  ]
  for (const [what, text, line] of cases) {
    test(what, async () => {
      assert.match(
        await problemOf(text),
        new RegExp(`^intent\\.json:${line}: this is not JSON \\([^"\n]+\\)$`),
      )
    })
  }

  test('ignores a byte order mark', async () => {
    assert.equal(await problemOf(`\u{FEFF}${GOOD}`), 'none')
  })
})
