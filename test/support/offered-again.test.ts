import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { writes } from './writes.ts'

const lastOf = async (customerId: string, ...said: readonly string[]) => {
  const { answers, data } = await writes(customerId, ...said)
  return { answer: answers.at(-1) ?? '', data }
}

describe('what is open', () => {
  test('[S-13] is offered again behind the answer to a question, also where it is one thing', async () => {
    const before = ['could I exchange the running shoes for a bigger size?', 'how do returns work?']
    const { answer } = await lastOf('C-010', ...before)
    assert.match(answer, /\(From: Returns.*\n\nI can start the return .* Shall I do that\?$/s)
    const begun = await lastOf('C-010', ...before, 'ok start it', 'yes')
    assert.equal((await begun.data.getOrder('O-12374'))?.['status'], 'return_started')
  })

  test('[S-13] is agreed to with the words that something else be left', async () => {
    const { data } = await lastOf(
      'C-014',
      'please refund the puzzle',
      'yes, just the puzzle, leave the jeans alone',
    )
    assert.equal((await data.getOrder('O-12390'))?.['status'], 'refunded')
  })

  test('[S-13] is not agreed to with the words that itself be left', async () => {
    for (const said of ['yes, leave the puzzle', 'ok leave it', 'yes but leave the puzzle alone']) {
      const { data } = await lastOf('C-014', 'please refund the puzzle', said)
      assert.equal((await data.getOrder('O-12390'))?.['status'], 'delayed', said)
    }
  })
})

describe('after a refusal', () => {
  test('[S-13] a part is asked for, with what the customer can wait for', async () => {
    const { answer } = await lastOf(
      'C-003',
      'refund everything of O-12351',
      'how about just the chair? I can wait a bit for the desk',
    )
    assert.match(answer, /^Shall I refund \$259\.90 for Office Chair, Mesh, order O-12351\?/)
  })
})

describe('a wish for a person', () => {
  test('[S-13] may stand behind its reason', async () => {
    const { answer } = await lastOf(
      'C-017',
      'where is the money for the earbuds I cancelled?',
      "It isn't there yet. Can someone check that?",
    )
    assert.match(answer, /^A colleague will take over/)
  })

  test('[S-13] is not made by one who does not want it', async () => {
    for (const said of ["I don't need a person. Thanks", "Don't get a colleague. I only asked"]) {
      const { answer } = await lastOf(
        'C-017',
        'where is the money for the earbuds I cancelled?',
        said,
      )
      assert.doesNotMatch(answer, /will take over/, said)
    }
  })
})
