import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lastAnswer as answer, writes } from './writes.ts'

describe('what the data of an order holds', () => {
  test('[S-13] the cause of a delay is told, and only where it is known', async () => {
    const known = /The reason: a missed connection of the carrier in Memphis/
    for (const text of ["what's the trouble with my desk?", 'why is the desk so late?']) {
      assert.match(await answer('C-003', text), known, text)
    }
    const unknown = await answer('C-005', 'why is my yoga mat still not here?')
    assert.match(unknown, /can't see the reason/)
  })

  test('[S-13] noted wishes are told, and no note is quoted', async () => {
    assert.match(await answer('C-001', 'will my lamp be gift wrapped?'), /Noted .*gift wrap$/)
    assert.match(
      await answer('C-017', 'does anybody call me before the desk comes?'),
      /Noted .*call/,
    )
    const none = await answer('C-004', 'is gift wrap noted for O-12356?')
    assert.match(none, /no wish/)
    assert.doesNotMatch(none, /admin/)
  })

  test('[S-13] of all orders, those are listed that were asked for', async () => {
    // Of few orders, the whole state is told.
    const open = await answer('C-003', 'which parcels are still on their way?')
    assert.match(open, /^Your order O-12353 .*is shipped[^]*\n\nYour order O-12351 .*is delayed/)
    assert.doesNotMatch(open, /O-12352|O-12354/)
    const late = await answer('C-003', 'which of my orders is late?')
    assert.match(late, /^Your order O-12351 is delayed/)
    assert.doesNotMatch(late, /O-1235[234]/)
    const listed = await answer('C-003', 'list all parcels that I am still waiting for')
    assert.match(listed, /^Still to come: .*O-12353.*O-12351/)
    assert.doesNotMatch(listed, /O-12352|O-12354/)
    assert.match(await answer('C-003', 'list my delayed orders'), /^Late: O-12351 [^;]*$/)
    assert.match(await answer('C-003', 'list all my orders'), /O-12352/)
  })

  test('[S-13] a sum tells the order in a question, and not in a request', async () => {
    assert.match(await answer('C-003', 'what did I pay 139.50 for?'), /O-12352/)
    const refund = await answer('C-003', 'I want 139.50 back')
    assert.doesNotMatch(refund, /on its way/)
  })
})

describe('several parts in one message', () => {
  test('[S-13] what is not known comes last, and names its part', async () => {
    const said = await answer('C-001', 'is the mug dishwasher safe? and where is my shirt?')
    assert.match(said, /^Your order O-12345[^]*\n\nI don't know the answer to “.*dishwasher safe”/)
  })

  test('[S-13] outcries and pieces are no questions', async () => {
    for (const text of [
      'what on earth are you people doing? where is my shirt',
      'found it. Could I also get the invoice for O-12345',
    ]) {
      assert.doesNotMatch(await answer('C-001', text), /don't know/, text)
    }
  })
})

describe('a word of sympathy', () => {
  test('[S-13] stands before the answer, once in a row', async () => {
    const said = (
      await writes('C-005', "it's ridiculous, where is my mat", 'unacceptable, when does it come')
    ).answers
    assert.match(said[0] ?? '', /^I'm sorry for the trouble\. Your order O-12359/)
    assert.match(said[1] ?? '', /^Your order O-12359/)
    assert.doesNotMatch(await answer('C-005', 'where is my mat'), /sorry/)
  })
})

describe('everyday questions', () => {
  test('[S-13] documents answer what they hold', async () => {
    const asked = [
      ['can I pick it up from one of your stores?', /no pick-up in a store/],
      ['can opened things be returned?', /nothing of packaging/],
      ['at what hour do they deliver?', /hour/],
      ['is there anybody who speaks Spanish?', /English only/],
      ['how do I redeem my coupon?', /discount code is entered/],
    ] as const
    for (const [text, expected] of asked) assert.match(await answer('C-001', text), expected, text)
  })

  test('[S-13] what they do not hold is not known, and nothing else is said or done', async () => {
    for (const text of [
      'I need a new wheel for my lamp',
      'does the shirt shrink in the wash?',
      'can you engrave a name on my lamp?',
      'how do I call FedEx?',
    ]) {
      assert.match(await answer('C-001', text), /^I can't answer or do that/, text)
    }
  })
})

test('[S-13] two charges are explained, also where an order is named', async () => {
  for (const text of [
    'my bank took 69.90 two times for those jeans',
    'there are duplicate debits for the jeans, how come?',
    'I paid the jeans twice',
  ]) {
    assert.match(await answer('C-014', text), /reservation and the payment/, text)
  }
  assert.doesNotMatch(await answer('C-014', 'I have written twice now'), /reservation/)
})

test('[S-13] a thing to be waited for is none to be refunded', async () => {
  const told = await answer('C-003', 'the chair I want refunded, I still wait for the desk')
  assert.match(told, /Shall I refund \$259\.90 for Office Chair, Mesh/)
})

test('[S-13] how long a colleague takes to answer is told with the hours', async () => {
  const before = ['please get me a colleague']
  for (const text of ['do you know how long this will take?', 'I meant how soon someone answers']) {
    assert.match(await answer('C-002', ...before, text), /Monday to Friday/, text)
  }
})

test('[S-13] what a return costs is told where it is one of two ways, and both are offered again', async () => {
  const told = await answer(
    'C-004',
    'the earbuds crackle',
    'would returning them cost me anything?',
  )
  assert.match(told, /^Returns are free/)
  assert.match(told, /Which would you like\?$/)
})

test('[S-13] a yes with a word of stopping is no refusal', async () => {
  const told = await answer(
    'C-005',
    'refund my yoga mat',
    'Yes, and stop it so that it does not come too',
  )
  assert.doesNotMatch(told, /leave it/)
})

test('[S-13] a sum of a cancelled order that was not seen yet is told of with its days', async () => {
  const told = await answer(
    'C-017',
    'where are my earbuds',
    'ah, cancelled. have I got the 89 back?',
  )
  assert.match(told, /\$89\.00/)
})
