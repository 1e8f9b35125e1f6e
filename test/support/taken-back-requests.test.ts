import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lastAnswer, writes } from './writes.ts'

const WAITS = [
  'I want a full refund for the standing desk of O-12367, it is scratched',
  'yes',
] as const
const TAKEN_BACK = /I've taken that request back/

describe('a request that waits for a person', () => {
  test('[S-13] is taken back in many words', async () => {
    for (const said of [
      'please undo this, we decided to keep it',
      'could you pull the refund request back?',
      'scrap my refund request. The desk stays here.',
      'revoke that please',
      'I want to take my request back',
    ]) {
      assert.match(await lastAnswer('C-008', ...WAITS, said), TAKEN_BACK, said)
    }
  })

  test('[S-13] is taken back after a question about it', async () => {
    const said = [...WAITS, 'does my request still wait for approval?', 'ok, withdraw it then']
    assert.match(await lastAnswer('C-008', ...said), TAKEN_BACK)
  })

  test('[S-13] stays where it is not to be taken back, or only under a condition', async () => {
    for (const said of [
      "please don't withdraw the request",
      'if they say no, cancel the refund request',
      'who would undo that, you or the colleague?',
      'I will take the desk back to the garage',
    ]) {
      assert.doesNotMatch(await lastAnswer('C-008', ...WAITS, said), TAKEN_BACK, said)
    }
  })

  test('[S-13] is taken back while something else is asked, and neither is done', async () => {
    const { answers, data } = await writes(
      'C-008',
      ...WAITS,
      'refund the desk O-12367 once more',
      'no, withdraw the refund request',
      'is anything still waiting?',
    )
    assert.match(answers[3] ?? '', TAKEN_BACK, answers.join('\n'))
    assert.equal((await data.getOrder('O-12367'))?.['status'], 'delivered')
  })
})

describe('while a person has the conversation', () => {
  const HANDED = ['I need to talk to a human please'] as const

  test('[S-13] a question about an order is answered, also behind a colon', async () => {
    const said = await lastAnswer('C-005', ...HANDED, 'in the meantime: where is my yoga mat?')
    assert.match(said, /Meanwhile:[^]*O-12359/)
  })

  test('[S-13] a wish is offered, and done after a yes', async () => {
    const wish = 'cancel my tent order O-12363 please'
    const asked = await writes('C-006', ...HANDED, wish)
    assert.match(asked.answers[1] ?? '', /Meanwhile:[^]*Shall I cancel order O-12363/)
    assert.equal((await asked.data.getOrder('O-12363'))?.['status'], 'processing')
    for (const [said, status] of [
      ['yes please', 'cancelled'],
      ['no, leave it', 'processing'],
      ['hm, maybe, let me think', 'processing'],
    ] as const) {
      const { data } = await writes('C-006', ...HANDED, wish, said)
      assert.equal((await data.getOrder('O-12363'))?.['status'], status, said)
    }
  })

  test('[S-13] the colleague keeps the conversation, and none is offered or called once more', async () => {
    const { answers } = await writes(
      'C-006',
      ...HANDED,
      'refund my office chair O-12362 please',
      'yes, get me a colleague',
      'where is my pan?',
    )
    assert.match(answers[1] ?? '', /delivered more than 30 days ago\s*$/)
    assert.doesNotMatch(answers.slice(1).join(' '), /Shall I get a colleague|your ticket is/)
    assert.match(answers[3] ?? '', /Meanwhile:[^]*O-12361/)
  })
})

describe('the money of a return that was started', () => {
  test('[S-13] is offered where the return is asked for once more', async () => {
    const { answers, data } = await writes('C-020', 'start the return of my running shoes O-12408')
    assert.match(answers[0] ?? '', /under way already\. Its money does not come by itself/)
    assert.match(answers[0] ?? '', /Shall I refund \$119\.95/)
    assert.equal((await data.getOrder('O-12408'))?.['status'], 'return_started')
  })
})

describe('what has not come yet', () => {
  test('[S-13] can be sent back later, and is not cancelled for that', async () => {
    for (const said of [
      'if I return the socks later, will I get my money back?',
      'and if I send the hoodie back afterwards, is it refunded?',
    ]) {
      const { answers, data } = await writes('C-016', 'where is my hoodie?', said)
      assert.match(answers[1] ?? '', /^Yes: once an order has arrived/, said)
      assert.equal((await data.getOrder('O-12394'))?.['status'], 'processing')
    }
  })
})

describe('the reason of a delay', () => {
  test('[S-13] is not said to be unknown beside it', async () => {
    const said = await lastAnswer('C-011', 'why is my bedding stuck at an address check?')
    assert.doesNotMatch(said, /I can't see the reason/)
  })

  test('[S-13] may be followed by a right address and a question, which wish for nobody', async () => {
    const asked = 'the address is right, 515 Canal Street Unit 12. Must I do anything?'
    const said = await lastAnswer('C-011', 'why is order O-12379 late?', asked)
    assert.doesNotMatch(said, /ticket|can only be changed/)
  })
})

describe('the carrier', () => {
  test('[S-13] is told with the tracking number, and not unknown besides', async () => {
    for (const said of [
      'which courier is it, and what is the tracking number of O-12398?',
      'who is the carrier of it and can I get the tracking number for the desk',
    ]) {
      const answer = await lastAnswer('C-017', said)
      assert.match(answer, /FedEx/)
      assert.doesNotMatch(answer, /don't know the answer/, answer)
    }
  })

  test('[S-13] is told also where a colleague was offered before, and other questions stay open', async () => {
    const offered = ['The desk: do they call me?', 'Which number do they dial for that?'] as const
    const both = "no that's fine. which is the courier and could i have the tracking number"
    assert.doesNotMatch(await lastAnswer('C-017', ...offered, both), /don't know the answer/)
    const other = "no that's fine. who is the driver and could i have the tracking number"
    assert.doesNotMatch(await lastAnswer('C-017', ...offered, other), /driver is FedEx/)
  })
})
