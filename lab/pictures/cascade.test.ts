import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { cascadePicture } from './cascade.ts'
import { decideOutput } from './decide-output.ts'

test('the picture of the README shows what the command prints; `npm run pictures` renews it', async () => {
  const file = join(import.meta.dirname, '../../docs/images/cascade.svg')
  assert.equal(readFileSync(file, 'utf8'), cascadePicture(await decideOutput()))
})
