import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeredAfter, writes } from './writes.ts'

const TORN = 'the strap of my fitness watch is torn, it came yesterday'
const LAMP = 'the desk lamp is scratched and the office chair wobbles too, what are my options?'
const OPENED = 'Can I return a backpack that I wore to work?'

describe('one of several things that were offered', () => {
  test('[S-13] is chosen with a reason why it is not the other', async () => {
    await answeredAfter(
      'C-017',
      [TORN],
      [
        "The money then please, I'm not posting anything.",
        "refund pls, don't want to mail it",
        'Refund please - I have no car to ship it',
      ],
      /^Shall I refund \$179\.00 for Fitness Watch/,
    )
  })

  test('[S-13] is not chosen by one who wants none of it', async () => {
    for (const said of [
      'No refund please, I will keep it',
      "I'd rather not have a refund, leave it please",
      'Then forget the refund, nothing please',
      'ok skip the refund, it is fine like that',
    ]) {
      const { answers } = await writes('C-017', TORN, said)
      assert.doesNotMatch(answers.at(-1) ?? '', /^Shall I refund/, said)
    }
  })

  test('[S-13] stays offered for the thing that alone is meant', async () => {
    await answeredAfter(
      'C-013',
      [LAMP],
      ['Only the lamp. The chair I can live with.', "just the lamp, the chair isn't that bad"],
      /^I can refund \$79\.90 for Desk Lamp, Brass, order O-12384, or start its return\./,
    )
  })

  test('[S-13] is taken with a question of what comes later', async () => {
    await answeredAfter(
      'C-014',
      ['the charger and cables never arrived, although it says delivered'],
      ['The money for all of it please. If they turn up next week, must I send them back?'],
      /you don't have to send anything back[^]*Shall I refund \$65\.93 for 65 W Charger/,
    )
  })
})

describe('what the rules allow', () => {
  test('[S-13] is begun by one who asked for it, and still confirmed', async () => {
    await answeredAfter(
      'C-018',
      [OPENED],
      [
        'ok do it, just the backpack',
        "great, let's do that",
        'alright go ahead, only the backpack',
      ],
      /^Shall I start the return of Canvas Backpack, order O-12401\?/,
    )
  })

  test('[S-13] is not begun by one who only takes note of it, or thinks', async () => {
    for (const said of ['ok good to know', 'great, maybe I do it later', "ok then I won't do it"]) {
      const { answers } = await writes('C-018', OPENED, said)
      assert.doesNotMatch(answers.at(-1) ?? '', /Shall I start the return/, said)
    }
  })
})

describe('a yes behind what was only asked', () => {
  const before = ['please refund the puzzle']

  test('[S-13] is one', async () => {
    for (const said of [
      'I only wondered if I can keep it. Yes, refund it please',
      "I'm not sending it back, just asking whether it stays mine. yes do the refund",
    ]) {
      const { data } = await writes('C-014', ...before, said)
      assert.equal((await data.getOrder('O-12390'))?.['status'], 'refunded', said)
    }
  })

  test('[S-13] is none with a doubt, another thing, or a refusal before it', async () => {
    for (const said of [
      'I was only asking about the refund. Yes, return it',
      "I don't want a refund, just asking. yes do it later",
      'just wondering if I can keep it. yes, refund the jeans',
      'just asking what a refund does. Yes refund it tomorrow',
    ]) {
      const { data } = await writes('C-014', ...before, said)
      assert.notEqual((await data.getOrder('O-12390'))?.['status'], 'refunded', said)
    }
  })
})

describe('a number without a currency', () => {
  test('[S-13] beside a counted thing is no sum', async () => {
    for (const said of [
      'a usb c cable is missing, I ordered 2 and only 1 came',
      'there is 1 in the box but I paid for 2 usb c cables, one is missing',
    ]) {
      const { answers } = await writes('C-014', said)
      assert.doesNotMatch(answers.at(-1) ?? '', /\$[12]\.00/, said)
    }
  })

  test('[S-13] is one behind a word for more money', async () => {
    const before = ['the office chair has no armrests, refund me 50 dollars', 'yes']
    await answeredAfter(
      'C-020',
      before,
      ['please refund a further 15 for the chair', 'refund another 15 for the chair'],
      /^Shall I refund \$15\.00 for Office Chair, Mesh, order O-12407\?/,
    )
    await answeredAfter(
      'C-020',
      before,
      ['could you make it 75 instead?', 'please raise it to $75'],
      /Shall I refund \$25\.00 for Office Chair, Mesh, order O-12407\?/,
    )
    await answeredAfter('C-020', before, ['can you make it 40 instead?'], /^(?!.*Shall I refund)/s)
    const { answers } = await writes('C-020', ...before, 'I waited another 15 days for the chair')
    assert.doesNotMatch(answers.at(-1) ?? '', /\$15/)
  })
})
