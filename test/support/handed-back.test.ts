import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lastAnswer, writes } from './writes.ts'

describe('a wish for a person that is taken back', () => {
  const HANDED = ['can I have a human please'] as const

  test('[S-13] it is taken back in ordinary words, and nothing else is said', async () => {
    for (const said of [
      'ah, my brother has it. Nobody has to look into it any more, thank you',
      'no, forget it, I try again next Thursday',
      'you know what, skip the person',
      "on reflection, cancel that, I won't need anybody",
      'I would rather sort it out with you',
    ]) {
      const answer = await lastAnswer('C-007', ...HANDED, said)
      assert.equal(answer, "All right, I'm back. A colleague isn't needed any more.", said)
    }
  })

  test('[S-13] what is asked behind it is answered', async () => {
    const said = 'drop that, I know it by now. Where is my book?'
    assert.match(await lastAnswer('C-007', ...HANDED, said), /I'm back[^]*O-12366 is shipped/)
  })

  test('[S-13] a person who is waited for, or told more, stays', async () => {
    for (const said of [
      "that's fine, I'm happy to wait for them",
      'I want the person and not you',
      "please don't close my ticket",
      'tell your colleague that it is urgent',
      "I don't need the scarf any more",
      'it is not solved yet',
      "I don't want explanations, I want a human",
      'nobody has written to me so far',
      'no, I have no use for a bot',
    ]) {
      const answer = await lastAnswer('C-007', ...HANDED, said)
      assert.doesNotMatch(answer, /I'm back/, said)
    }
  })

  test('[S-13] a report that documents answer is answered meanwhile', async () => {
    const said = 'somebody signed in to my account who is not me'
    const answer = await lastAnswer('C-007', ...HANDED, said)
    assert.match(answer, /A colleague has your conversation [^]*Change your password/)
  })
})

describe('what follows an offer, an approval or a refund', () => {
  test('[S-13] what was declined is not offered again beside the answer', async () => {
    const late = ['where is my yoga mat', 'can I cancel it'] as const
    const said = "no thank you, then I'll be patient. when will it get here?"
    const answer = await lastAnswer('C-005', ...late, said)
    assert.match(answer, /Oct 20/)
    assert.doesNotMatch(answer, /refund/)
  })

  test('[S-13] news of an approval tells that it waits, and when a colleague is there', async () => {
    const waits = ['refund O-12374 please', 'yes'] as const
    for (const said of ['is there any word on the approval?', 'so what became of that approval']) {
      const answer = await lastAnswer('C-010', ...waits, said)
      assert.match(answer, /still waiting for a colleague[^]*Monday to Friday/, said)
    }
  })

  test('[S-13] a question before the yes is answered, and the plan stays as it is', async () => {
    const asked = ['please refund my bedding set, it takes too long'] as const
    for (const said of [
      'no wait, first tell me when it would be here',
      'No, before that I want to know when it arrives',
    ]) {
      const answer = await lastAnswer('C-011', ...asked, said)
      assert.match(answer, /Oct 24[^]*Shall I refund \$139\.50/, said)
    }
    const { answers, data } = await writes(
      'C-011',
      ...asked,
      'no wait, first tell me when it would be here',
      'October 24 is far too late, so please refund me',
    )
    assert.doesNotMatch(answers.at(-1) ?? '', /How much/)
    assert.equal((await data.getOrder('O-12379'))?.['status'], 'delayed')
  })

  test('[S-13] the money of a started return is told with how it comes', async () => {
    const started = ['I want to return the running shoes', 'yes'] as const
    const answer = await lastAnswer('C-010', ...started, 'so when is my money there?')
    assert.match(
      answer,
      /doesn't come by itself[^]*5 to 7 business days[^]*Shall I refund \$119\.95/,
    )
  })

  test('[S-13] what is left after a refund of a part is asked of the rules, with its last day', async () => {
    const part = ['refund me 50 dollars of the chair, it has a scratch', 'yes'] as const
    const { answers, data } = await writes(
      'C-020',
      ...part,
      'would the remaining sum be refundable later on as well?',
    )
    assert.match(answers[2] ?? '', /\$209\.90[^]*a colleague has to approve[^]*Nov 8/)
    assert.equal((await data.getOrder('O-12407'))?.['refund_amount'], 50)
  })

  test('[S-13] what was paid for a cancelled order is given back, and by when', async () => {
    const cancelled = ['has my yoga mat order been cancelled?'] as const
    for (const said of [
      'and the $66.50?',
      'so did I pay for that one or not?',
      'what did it cost?',
    ]) {
      assert.match(await lastAnswer('C-010', ...cancelled, said), /Oct 21/, said)
    }
  })

  test('[S-13] whether a refund went out is no wish to cancel', async () => {
    const answer = await lastAnswer('C-019', 'The jeans order then. Has the refund gone out?')
    assert.match(answer, /^Your order O-12405 was refunded/)
  })
})
