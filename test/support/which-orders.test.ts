import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeredAfter, lastAnswer as answer } from './writes.ts'

describe('which of the orders', () => {
  test('[S-13] a negated state tells the others', async () => {
    for (const text of [
      'which of my parcels have not been delivered?',
      "which orders didn't arrive yet?",
      'which ones have I not received so far?',
    ]) {
      const said = await answer('C-008', text)
      assert.match(said, /O-12369[^]*O-12368[^]*O-12370/, text)
      assert.doesNotMatch(said, /O-12367/, text)
    }
    assert.doesNotMatch(await answer('C-008', 'which orders are not delayed?'), /O-12370/)
  })

  test('[S-13] the one order for which it is possible is named, and nothing is done', async () => {
    const said = ['which order can still be cancelled?', 'can I still cancel any of them?']
    await answeredAfter('C-001', [], said, /^I can cancel order O-12347/)
    assert.match(await answer('C-002', 'which of these can I cancel?'), /until it has been shipped/)
    assert.doesNotMatch(await answer('C-001', 'which orders can one usually cancel?'), /O-12347/)
  })

  test('[S-13] what came is told by the time at which it came', async () => {
    assert.match(await answer('C-012', 'what was in the package I received last week?'), /O-12382/)
    assert.doesNotMatch(await answer('C-012', 'what did I buy last week?'), /O-12382/)
  })
})

describe('what is asked of the order spoken of', () => {
  test('[S-13] whether it can still go elsewhere', async () => {
    const late = await answer('C-016', 'where is my shirt?', 'can I still change where it is sent?')
    assert.match(late, /O-12395 is in transit/)
    assert.doesNotMatch(await answer('C-016', 'can one change the address of an order?'), /O-12395/)
  })

  test('[S-13] whether it goes back after a refund', async () => {
    const said = await answer('C-015', 'was my lamp refunded?', 'and must I still send it back?')
    assert.match(said, /don't have to send anything back/)
  })
})

describe('a person who approves', () => {
  const REFUND = 'refund my trail shoes'

  test('[S-13] a question about the approval is answered, and hands nothing over', async () => {
    const said = [
      'why must someone look at that?',
      'does a human really have to approve it?',
      'wait, who is it that decides?',
      'why?',
      'when would your colleague look at it?',
    ]
    const open =
      /larger[^]*Shall I refund \$119\.95[^]*approve it first\.$|more than \$100[^]*Shall I/
    await answeredAfter('C-010', [REFUND], said, open)
    for (const text of said) {
      assert.match(await answer('C-010', REFUND, text, 'yes'), /I have passed it on/, text)
    }
  })

  test('[S-13] who is to be talked to still comes', async () => {
    for (const text of ['can I talk to the colleague?', "why can't you connect me to a person?"]) {
      assert.match(await answer('C-010', REFUND, text), /ticket/, text)
    }
  })
})

describe('a hand-over that is taken back', () => {
  test('[S-13] in ordinary words, with what is asked beside it', async () => {
    for (const text of ["oh forget it, I don't need a colleague", 'hm no, leave it then']) {
      assert.match(await answer('C-002', 'a human please', text), /I'm back/, text)
    }
    const said = await answer('C-002', 'a human please', 'ok take that back. where are my socks?')
    assert.match(said, /I'm back[^]*O-12348 is in transit/)
  })

  test('[S-13] what is left with the person, or is about something else, takes nothing back', async () => {
    for (const text of [
      'leave it with them, please',
      "I don't need the tent any more",
      "please don't forget it",
      "I don't need a bot, I need a person",
      'do you take the tent back?',
    ]) {
      assert.doesNotMatch(await answer('C-002', 'a human please', text), /I'm back/, text)
    }
  })
})
