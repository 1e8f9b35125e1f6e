import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeredAfter, lastAnswer as last } from './writes.ts'

type Beginning = readonly [customerId: string, ...texts: readonly string[]]

const after = ([customerId, ...before]: Beginning, text: string): Promise<string> =>
  last(customerId, ...before, text)

const KETTLE: Beginning = ['C-019', 'please refund the kettle of O-12404']
const BOTTLE: Beginning = ['C-020', 'cancel O-12410']
const SCARF: Beginning = ['C-007', 'could I swap my scarf for a lighter shade?']
const LATE: Beginning = ['C-003', 'when does my desk get here?']

describe('a yes where nothing was asked', () => {
  test('[S-13] brings nobody and begins nothing', async () => {
    const [customerId, ...before] = LATE
    const texts = ['yes please', 'sure', 'yeah, do that', 'ok yes', 'please do', 'yes, help me']
    await answeredAfter(customerId, before, texts, /Nothing is waiting for a yes/)
  })

  test('[S-13] takes what the last answer spoke of', async () => {
    const asked = await last('C-020', 'what happens if I cancel O-12410?', 'yes please')
    assert.match(asked, /Shall I cancel order O-12410/)
    const person = await last('C-003', 'is there a warranty on desks?', 'yes please')
    assert.match(person, /A colleague will take over/)
  })

  test('[S-13] is a wish with one in it', async () => {
    assert.match(await after(LATE, 'yes please, get me a person'), /A colleague will take over/)
    assert.match(
      await last('C-020', 'hello', 'yes, cancel O-12410'),
      /Shall I cancel order O-12410/,
    )
  })
})

describe('a no with more in it', () => {
  test('[S-13] drops what was offered, and answers the rest', async () => {
    const answer = await after(
      SCARF,
      'No, it stays with me. My aunt wants one too, is it sold in grey?',
    )
    assert.match(answer, /page of each product/)
    assert.doesNotMatch(answer, /start the return/)
    const when = await after(BOTTLE, "Don't cancel! I wanted to know when it gets here")
    assert.match(when, /O-12410/)
    assert.doesNotMatch(when, /Shall I/)
  })

  test('[S-13] is one where it is kept, left or waited for', async () => {
    const texts = [
      'keep',
      "hm, then I'd rather keep it",
      'if it comes by Thursday I can wait. Leave it',
      "as long as it's here this week, I'll wait for it",
      'leave everything as it is please',
    ]
    const [customerId, ...before] = KETTLE
    await answeredAfter(customerId, before, texts, /I'll leave it/)
    const answer = await after(BOTTLE, "I'll keep both then. What day do they arrive?")
    assert.doesNotMatch(answer, /Shall I/)
  })

  test('[S-19] is none where part of it, or the same on other terms, is wanted', async () => {
    const texts = [
      'No. Make it 20 dollars',
      "I'm not sure, maybe I'll wait",
      'wait, is that final?',
    ]
    for (const text of texts) {
      const answer = await after(KETTLE, text)
      assert.match(answer, /Shall I refund/, text)
    }
    assert.match(await after(KETTLE, "no worries, I'll wait for the money. Go ahead"), /on its way/)
  })

  test('[S-13] to what nobody offered asks for the rest alone', async () => {
    const answer = await after(LATE, "No, I don't want my money back! Which street is it sent to?")
    assert.match(answer, /Orchard Lane/)
    assert.doesNotMatch(answer, /refund/)
    const missing = "I didn't get my money back yet. When is it there?"
    assert.match(await last('C-010', 'what did I pay for O-12376?', missing), /given back|refunded/)
  })
})

describe('a return once the order has arrived', () => {
  test('[S-13] is said to be possible then, whatever is asked or offered', async () => {
    const watch = 'can I give the watch back when I have it?'
    assert.match(await last('C-008', watch), /Yes: once an order has arrived/)
    const answer = await last('C-008', 'please cancel the watch', `no. ${watch}`)
    assert.match(answer, /Yes: once an order has arrived/)
    assert.doesNotMatch(answer, /Shall I/)
    const meant = 'No, I was asking about sending back one of them after delivery'
    assert.match(await last('C-008', 'cancel the watch', meant), /Yes: once an order has arrived/)
  })

  test('[S-13] of an order that has arrived is offered', async () => {
    const answer = await last('C-019', "can the kettle go back once it's here?")
    assert.match(answer, /I can start the return/)
    assert.doesNotMatch(await last('C-008', 'send the watch to my neighbor'), /once an order has/)
  })
})

describe('what a customer has to do', () => {
  test('[S-13] is nothing while an order is on its way', async () => {
    const answer = await after(LATE, 'is anything required from my side, a phone number maybe?')
    assert.match(answer, /nothing that you have to do/)
    assert.doesNotMatch(answer, /refund/)
    const place = await after(LATE, 'should I confirm the street to somebody?')
    assert.match(place, /Orchard Lane[^]*nothing that you have to do/)
  })

  test('[S-13] follows from what was done', async () => {
    const answer = await last('C-003', 'return the bedding', 'yes', 'do you need more from me?')
    assert.match(answer, /label/)
    assert.match(await after(LATE, 'which options are left for me?'), /refund/)
  })
})

test('[S-13] what is asked beside a report and answered with it is no unknown part', async () => {
  for (const text of ['which options do I have?', 'what are my choices']) {
    const answer = await last('C-019', `The kettle of O-12404 drips. ${text}`)
    assert.match(answer, /I can refund/, text)
    assert.doesNotMatch(answer, /I don't know/, text)
  }
})
