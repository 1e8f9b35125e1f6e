import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { brokenLines } from './dotenv-lines.ts'
import { folderFor, loadConfig } from './in-tests.ts'

test('reports invalid lines of .env and no valid ones', () => {
  const right = `# a comment\n\n  # another\nA=1\nexport B = 2\nC=\nD="one\ntwo: 2\nthree" # end\nE='x'\r\n\r\nF="open\n`
  assert.deepEqual(brokenLines(right), [])
  assert.deepEqual(
    brokenLines('BUDGET_MAX_COST_USD 0.5\nA=1\nBUDGET_MAX_TOKENS: 100\n=5'),
    [1, 3, 4],
  )
  assert.deepEqual(brokenLines('A="open\nB 2'), [2])
})

test('names the line in the configuration’s warning without quoting it', async (t) => {
  const folder = folderFor(t)
  const [file, dotenv] = [join(folder, 'config.yaml'), join(folder, '.env')]
  writeFileSync(file, '')
  writeFileSync(dotenv, 'BUDGET_MAX_TOKENS=5\nOPENAI_API_KEY sk-secret\n', { mode: 0o600 })
  const { warnings, settings } = await loadConfig({ file, env: {} })
  assert.equal(settings.budget.max_tokens, 5)
  assert.deepEqual(warnings, [`${dotenv}:2: this line sets nothing; write it as NAME=value`])
})
