import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { statesIn } from '../../packages/support/src/customer/order-states.ts'
import { answeredAfter, each, lastAnswer, writes } from './writes.ts'

const MOVES = ['C-001', 'send the lamp order to 9 Birch Lane, Salem, OR 97301'] as const

describe('the place of another order', () => {
  test('[S-13] is told, and whether it is the place spoken of, while a change is open', async () => {
    await answeredAfter(
      MOVES[0],
      [MOVES[1]],
      [
        'is the blue shirt headed there as well?',
        'does the t-shirt have the same address?',
        'hm, will that change the address of the shirt too?',
        'and my other order, does it go there too?',
      ],
      /^No, your order O-12345 [^]*goes to 18 Alder Street[^]*can no longer be changed[^]*Shall I send order O-12347, [^]*9 Birch Lane/,
    )
  })

  test('[S-13] is compared with what was just told', async () => {
    await each(
      ['C-001', 'where does the lamp go?'],
      ['is the shirt going to that address too?', 'same place for the shirt?'],
      /^(?:Yes, y|Y)our order O-12345.* goes to 18 Alder Street/,
    )
  })

  test('[S-14] a wish is no question of it, and a yes beside it changes that order alone', async () => {
    await each([...MOVES], ['can the shirt go there too?'], /^No: order O-12345 is shipped/)
    const { answers, data } = await writes(
      ...MOVES,
      'yes please. is the shirt going there as well?',
    )
    assert.match(answers.at(-1) ?? '', /O-12347 will be sent to 9 Birch[^]*No, your order O-12345/)
    assert.match(JSON.stringify(await data.getOrder('O-12345')), /18 Alder/)
  })
})

describe('the orders of a time', () => {
  test('[S-13] are those of that time alone, with their days', async () => {
    await each(
      ['C-020'],
      ['what have I ordered in october?', 'show me all the orders of this month'],
      /^Your orders from Oct 1 to Oct 18: O-12410 (?![^]*O-12408)[^]*O-12409 [^]*ordered on Oct 5/,
    )
    await each(['C-020'], ['did I buy anything in july?'], /no order of yours from Jul 1 to Jul 31/)
  })

  test('[S-13] are not listed where something else is asked of them', async () => {
    await each(
      ['C-020'],
      ['when does the order from last week get here?', 'how much did I spend this month?'],
      /^(?!Your orders from)/,
    )
  })
})

describe('whether something comes before a day', () => {
  const BEFORE = ['C-020', 'where is the puzzle?'] as const

  test('[S-13] is said from the day expected, which is no promise', async () => {
    await each(
      [...BEFORE],
      ['will it arrive before thursday?', 'so by the 23rd?', 'ok so it gets here by tuesday'],
      /^Yes, the day expected is Oct 21, a Tuesday\. That is an estimate and not a promise\.$/,
    )
    await each(
      [...BEFORE],
      ['can it be here by monday?', 'does it come before tuesday?', 'will it come by tomorrow?'],
      /^No, the day expected is Oct 21, a Tuesday\. That is an estimate/,
    )
  })

  test('[S-13] is not said of what the customer is to do', async () => {
    await each([...BEFORE], ['do I have to be at home before thursday?'], /^(?!Yes|No)/)
  })
})

describe('several orders of which none can be cancelled', () => {
  test('[S-14] it is said for each, and nothing is asked', async () => {
    await answeredAfter(
      'C-012',
      [],
      ['please cancel the two that have not arrived', 'cancel all of my open orders'],
      /^Not now: order O-12383 [^?]*Not now: order O-12381 [^?]*$/,
    )
  })

  test('[S-14] the one that can be is asked about, with one question at the end', async () => {
    const { answers, data } = await writes('C-001', 'cancel all my orders that are not here yet')
    assert.match(
      answers.at(-1) ?? '',
      /^Not now: order O-12345 [^?]*Shall I cancel order O-12347[^?]*\?/,
    )
    assert.equal((await data.getOrder('O-12347'))?.['status'], 'processing')
    // Two questions at once would leave open which a yes answers.
    assert.match(await lastAnswer('C-008', 'cancel all my orders'), /one order at a time/)
  })

  test('[S-13] a goodbye ends the question for an order', async () => {
    await each(['C-008', 'cancel all my orders'], ['ok bye', 'goodbye then'], /^(?!Before)[^?]*$/)
    await each(['C-001', 'cancel the lamp'], ['bye'], /Shall I cancel/)
  })
})

describe('the things of one order', () => {
  test('[S-13] "what else" is all that it holds', async () => {
    await each(
      ['C-001'],
      [
        'how many mugs were in that box and what else?',
        'how many mugs are in the order, what else is in it',
      ],
      /^Order O-12346 holds 2 × Stoneware Mug, 350 ml and The Salt Path[^]*delivered$/,
    )
  })

  test('[S-13] "each" is each of what was just told of one order', async () => {
    await each(
      ['C-001', 'what was in the order with the mugs?'],
      ['how much did each of them cost?', 'and the single prices?', 'what did I pay for each item'],
      /^You paid \$29\.90 for 2 × Stoneware Mug, 350 ml \(\$14\.95 each\) and \$16\.80 /,
    )
    await each(
      ['C-001', 'which orders do I have?'],
      ['how much did I pay for each?'],
      /O-12347[^]*O-12345[^]*O-12346/,
    )
  })
})

describe('an order that is told by its state', () => {
  test('[S-13] is found where just one has it', async () => {
    const before = ['C-001', 'what are my orders?'] as const
    await each([...before], ["what did the one that's already here cost?"], /\$46\.70/)
    await each([...before], ['price of the one I already got?'], /\$46\.70/)
    await each([...before], ['when will the one still on its way be here?'], /O-12345[^]*Oct 20/)
    await each([...before], ["what's in the one that is being prepared?"], /O-12347 holds/)
    await each(['C-010'], ['how much was the cancelled one?'], /\$66\.50/)
  })

  test('[S-13] stays the one that is meant', async () => {
    await each(
      ['C-001', 'how much was the one that already arrived?'],
      ['and the invoice for that one please'],
      /^Invoice of order O-12346/,
    )
  })

  test('words for a state that tell what has happened name no order', () => {
    for (const text of [
      'is my order delivered?',
      'the parcel came broken',
      'is that one in transit?',
      'which one is late',
      'the one I ordered yesterday',
      'that order should have arrived',
    ])
      assert.equal(statesIn(text), null, text)
    assert.deepEqual(statesIn("the one that hasn't arrived"), [
      'processing',
      'shipped',
      'in_transit',
      'delayed',
    ])
    assert.deepEqual(statesIn('the package that was delivered'), ['delivered'])
  })
})

test('[S-13] a rule that is asked for beside something is the one for that', async () => {
  await each(
    ['C-009'],
    [
      'was delivery on my mug free? what is the rule',
      'did I get charged shipping for the mug, and what are the rules for that?',
    ],
    /Delivery is free from \$50/,
  )
  await each(
    ['C-009', 'was shipping included for the mug?'],
    ["what's the rule there?"],
    /^Delivery is free from \$50/,
  )
})
