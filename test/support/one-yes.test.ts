import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lastAnswer as last, writes } from './writes.ts'

type Beginning = readonly [customerId: string, ...texts: readonly string[]]

const after = ([customerId, ...before]: Beginning, text: string): Promise<string> =>
  last(customerId, ...before, text)

const KETTLE: Beginning = ['C-019', 'please refund the kettle of O-12404']
const BOTTLE: Beginning = ['C-020', 'cancel O-12410']
const TENT: Beginning = ['C-006', 'refund O-12363']
const LATE: Beginning = ['C-015', 'I want to return my yoga mat']
const SHOES: Beginning = ['C-010', 'please refund the shoes of O-12374']

describe('a yes', () => {
  test('[S-13] with a remark, in any words, is one', async () => {
    const texts = [
      'Certainly, it leaks all over the counter',
      'go for it, nobody here drinks tea anyway',
      'I agree to that.',
      "do so please, I can't use it",
      'Fine with me, refund it',
      'ok so that is 48.75, yes please',
      'okay so do it',
      "definitely, that's why I write to you",
      'yup, dont use it any more',
      'Yes, I want my 48.75 back, it is quite a sum',
    ]
    for (const text of texts)
      assert.match(await after(KETTLE, text), /\$48\.75 .* on its way/, text)
  })

  test('[S-13] with a question is one, and the question is answered', async () => {
    const answer = await after(KETTLE, 'yes please, when is the money there?')
    assert.match(answer, /5 to 7 business days/)
    assert.match(answer, /is on its way/)
  })

  test('[S-19] a courtesy that only leads to a question is not a yes, and the question is answered', async () => {
    const questions = [
      'ok and how long until it is on my card?',
      'right, do I have to send it back for that?',
      'alright so is there a warranty on it?',
    ]
    for (const text of questions) {
      const answer = await after(KETTLE, text)
      assert.doesNotMatch(answer, /is on its way/, text)
      assert.match(answer, /Shall I refund \$48\.75/, text)
    }
    assert.match(await after(KETTLE, 'Ok. How long until it is on my card?'), /is on its way/)
  })

  test('[S-13] with another wish is one, and the wish is carried out', async () => {
    const answer = await after(BOTTLE, 'yes. And where is my puzzle?')
    assert.match(answer, /O-12410 is cancelled/)
    assert.match(answer, /O-12409 is/)
  })

  test('[S-19] is none with a condition, a doubt, a refusal, another time, thing or amount', async () => {
    const texts = [
      'sure, provided that it costs nothing',
      'yes, once my husband agrees',
      'well, perhaps',
      'You shops are quick when it comes to refunding. Interesting.',
      "yes or no, I can't tell",
      'absolutely not',
      'forget the refund',
      'one second please',
      'ok so I get the money in a week',
      'right, so that is the whole price',
      'yes, on Friday',
      'yes, 30 dollars',
      'make that 20',
      'ok, and a new one instead',
      'yes, exchange it',
      'keep your money',
      'refund me only for the pillow',
      'hello there',
      'what a friendly chat',
      'we bought it in spring',
      'the kettle',
    ]
    for (const text of texts) assert.doesNotMatch(await after(KETTLE, text), /on its way/, text)
  })
})

describe('an offer', () => {
  test('[S-13] instead of what is refused names all of it, and is done by one yes', async () => {
    const { answers, data } = await writes(...TENT, 'yes, do that')
    assert.match(
      answers[0] ?? '',
      /Shall I cancel order O-12363, Two-Person Tent and .*, \$248\.00\? This can't be taken back\.$/,
    )
    assert.equal((await data.getOrder('O-12363'))?.['status'], 'cancelled')
  })

  test('[S-13] says that a colleague has to approve it', async () => {
    assert.match(await last(...SHOES), /taken back\. A colleague has to approve it first\.$/)
    assert.match(await after(SHOES, 'ok'), /^A colleague has to approve that first/)
    assert.match(await last(...SHOES, 'ok', 'yes'), /still waiting for a colleague/)
  })

  test('[S-13] stays behind the answer to a question', async () => {
    assert.match(
      await after(LATE, 'when would they answer?'),
      /Shall I get a colleague to look at it\?$/,
    )
    assert.match(
      await last(...TENT, 'does that cost anything?', 'then do it'),
      /O-12363 is cancelled/,
    )
  })

  test('[S-13] to cancel stays one where only a thing of the order is named', async () => {
    assert.match(
      await after(['C-006', 'refund O-12363'], 'only the tent'),
      /^I can only cancel a whole order.*Shall I cancel order O-12363/,
    )
    assert.match(
      await last('C-016', 'can I swap the hoodie for an M?', 'just the hoodie, I keep the socks'),
      /^I can only cancel a whole order.*Shall I cancel order O-12394/,
    )
  })

  test('[S-19] of a colleague is not taken by thanks, or by who helps themselves', async () => {
    const texts = [
      'cool, thank you',
      'ok, I mend it myself',
      'great, that was all, bye',
      'come on!',
      "I don't need a human. Just tell me why",
    ]
    for (const text of texts) assert.doesNotMatch(await after(LATE, text), /ticket is H-/, text)
  })
})

describe('another thing than what is open', () => {
  test('[S-13] takes its place', async () => {
    for (const text of ['ok then return it', 'no wait, I would rather return it']) {
      assert.match(await after(KETTLE, text), /^Shall I start the return of Electric Kettle/, text)
    }
  })

  test('[S-13] is asked for where a choice of two is only agreed to', async () => {
    const answer = await last('C-019', 'my kettle leaks', 'yes please')
    assert.match(answer, /Which would you like\?$/)
  })
})

describe('what is no yes', () => {
  const LAMP: Beginning = ['C-001', 'please cancel O-12347']

  test('[S-19] is a yes of somebody else, of before, or that would be given', async () => {
    for (const text of [
      'my husband says yes, I say not today',
      'she said ok already but it is my money',
      'I agreed to that once and it cost me a week',
      'I would say yes but I use it every day',
    ]) {
      assert.doesNotMatch(await after(KETTLE, text), /on its way/, text)
    }
  })

  test('[S-19] is what has no word of a yes in it', async () => {
    for (const text of [
      "that's wrong",
      'that is so sad',
      'that was quick',
      "it's too bad",
      'sorry, my bus is coming',
      "sorry, I can't type today",
      'my husband told me of it',
    ]) {
      assert.doesNotMatch(await after(LAMP, text), /is cancelled/, text)
      assert.doesNotMatch(await after(LATE, text), /ticket/, text)
    }
  })

  test('[S-19] is a threat, or bitter praise', async () => {
    for (const text of [
      'do it and my daughter will cry',
      'go ahead and you will hear from my lawyer',
      'that might be a terrible idea',
      'oh right, take that from me too',
      'perfect. just perfect.',
    ]) {
      assert.doesNotMatch(await after(LAMP, text), /is cancelled/, text)
    }
  })

  test('[S-13] brings no colleague to who doubts that it helps, or does something else', async () => {
    for (const text of [
      "another person won't change a thing",
      'a colleague told me the same in May',
      "alright then, I'll use it as it is",
      "fine, I'll manage",
    ]) {
      assert.doesNotMatch(await after(LATE, text), /ticket/, text)
    }
  })

  test('[S-13] is not said by idioms that agree', async () => {
    for (const text of [
      "of course, or else I wouldn't be asking",
      'yes, fine if a colleague needs to check it first',
      'uh huh, yes',
      "yes thank u sir, I'll order another one when I'm home",
      'Yes, please. My aunt gave me a kettle last week',
    ]) {
      assert.match(await after(KETTLE, text), /on its way/, text)
    }
  })

  test('[S-19] takes an amount for a thing down to what the thing costs', async () => {
    assert.doesNotMatch(await after(KETTLE, 'make it 60'), /\$60/)
    assert.match(await after(KETTLE, 'make it 20'), /Shall I refund \$20\.00/)
    const answer = await last('C-014', 'give me 60 dollars back for the charger of O-12388')
    assert.match(answer, /Shall I refund \$39\.95/)
  })
})
