import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lastAnswer, writes } from './writes.ts'

describe('what waits for a colleague', () => {
  const WAITS = ['please refund my standing desk O-12367, its top is scratched', 'yes'] as const

  test('[S-13] it is said what comes if it is refused, and until when it can be sent back', async () => {
    for (const said of [
      'and suppose they turn it down?',
      "what if it isn't approved",
      'what happens when the colleague says no?',
    ]) {
      const answer = await lastAnswer('C-008', ...WAITS, said)
      assert.match(answer, /^Then nothing is refunded/, said)
      assert.match(answer, /The last day to send it back [^]* is Nov 5/, said)
    }
  })

  test('[S-13] a return of the same thing takes its place, after a yes', async () => {
    const asked = await writes('C-008', ...WAITS, 'I changed my mind, I want to return it instead')
    assert.match(asked.answers[2] ?? '', /Shall I start the return [^]* take back the request/)
    assert.equal((await asked.data.getOrder('O-12367'))?.['status'], 'delivered')
    for (const [said, status, waits] of [
      ['yes', 'return_started', false],
      ['no, leave it as it is', 'delivered', true],
      ['hm, not sure, maybe later', 'delivered', true],
    ] as const) {
      const { answers, data } = await writes(
        'C-008',
        ...WAITS,
        'I changed my mind, I want to return it instead',
        said,
        'is my refund still waiting for approval?',
      )
      assert.equal((await data.getOrder('O-12367'))?.['status'], status, said)
      assert.equal(/still waiting for a colleague/.test(answers[4] ?? ''), waits, said)
    }
  })

  test('[S-13] whether it can be sent back instead is asked of the rules', async () => {
    const said = 'may I change my mind and ship it back instead while that waits?'
    const { answers, data } = await writes('C-008', ...WAITS, said)
    assert.match(answers[2] ?? '', /start the return/)
    assert.equal((await data.getOrder('O-12367'))?.['status'], 'delivered')
  })

  test('[S-13] a label comes only with a return', async () => {
    const refund = ['refund my trail running shoes O-12374 please', 'yes'] as const
    const answer = await lastAnswer('C-010', ...refund, 'if I post them anyway, is there a label?')
    assert.match(answer, /A label comes only with a return/)
  })

  test('[S-13] the rest of the order is told as it is, where a thing of it is refunded', async () => {
    const chair = ['refund the office chair of O-12351 please', 'yes'] as const
    const answer = await lastAnswer('C-003', ...chair, 'and what about the desk?')
    assert.match(answer, /O-12351 is delayed [^]*Oct 23/)
    assert.doesNotMatch(answer, /Shall I refund/)
  })
})

describe('after a refusal', () => {
  const REFUSED = 'I want to return the yoga mat of O-12391'

  test('[S-13] the same question for another thing gets its own answer', async () => {
    for (const said of [
      'no thank you. The bottle too?',
      'ok, no colleague. And the steel bottle?',
      'what about the bottle, the same?',
    ]) {
      const { answers, data } = await writes('C-015', REFUSED, said)
      assert.match(answers[1] ?? '', /^No: order O-12391 was delivered more than 30 days ago/, said)
      assert.equal((await data.getOrder('O-12391'))?.['status'], 'delivered')
    }
  })

  test('[S-13] the day and hour are told to who counts the days', async () => {
    const { answers } = await writes(
      'C-005',
      'return one mug of O-12358 please',
      'but it came on September 18, that is day 30 today!',
    )
    assert.match(answers[1] ?? '', /was Oct 18, until 08:44 UTC/)
  })
})

describe('after a return was started', () => {
  test('[S-13] how long there is to send it has a day', async () => {
    for (const said of [
      'how many days do I have to mail it now?',
      'by which date must it be sent?',
    ]) {
      const answer = await lastAnswer('C-007', 'start the return of my scarf O-12364', 'yes', said)
      assert.match(answer, /end on Nov 15/, said)
    }
  })

  test('[S-13] what it holds is confirmed, and nothing more goes back', async () => {
    const { answers, data } = await writes(
      'C-012',
      'I got two of the same book, can I return one of them?',
      'yes',
      'so only one of them goes back, and the other stays with me, right?',
      'no, nothing else goes back, I was just checking',
    )
    assert.match(answers[2] ?? '', /^This is all that was done[^]*The Salt Path[^]*registered/)
    assert.doesNotMatch(answers[3] ?? '', /ticket|Shall I/)
    assert.equal((await data.getOrder('O-12382'))?.['status'], 'return_started')
  })
})

describe('a parcel that the tracking has as delivered', () => {
  test('[S-13] and that is not there is offered a refund, or a colleague', async () => {
    for (const said of [
      'the tracking says my charger was delivered, but there is nothing here',
      'O-12388 is marked as delivered and I have not got it',
    ]) {
      const { answers, data } = await writes('C-014', said)
      assert.match(answers[0] ?? '', /I can refund [^]* or get a colleague/, said)
      assert.equal((await data.getOrder('O-12388'))?.['status'], 'delivered')
    }
  })

  test('[S-13] and that is only asked about is told as it is', async () => {
    assert.match(await lastAnswer('C-014', 'when was the charger delivered?'), /Oct 13/)
  })
})

describe('questions beside a choice', () => {
  const BROKEN = 'one of the two books came with torn pages'

  test('[S-13] photos, and how long each way takes', async () => {
    assert.match(
      await lastAnswer('C-012', BROKEN, 'do you need pictures of the torn pages?'),
      /Our rules ask for no photo/,
    )
    assert.match(
      await lastAnswer('C-012', BROKEN, 'and how long does each of them take?'),
      /5 to 7 business days from the refund/,
    )
  })

  test('[S-13] a pick beside the question is taken', async () => {
    const said = 'the refund please, and do I keep the torn one?'
    const { answers, data } = await writes('C-012', BROKEN, said)
    assert.match(answers[1] ?? '', /don't have to send anything back[^]*Shall I refund \$16\.80/)
    assert.equal((await data.getOrder('O-12382'))?.['status'], 'delivered')
  })
})
