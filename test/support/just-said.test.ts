import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sumsInDigits } from '../../packages/support/src/turn/money/in-digits.ts'
import { answeredAfter, each, lastAnswer, writes } from './writes.ts'

describe('a sum in words', () => {
  test('[S-13] is that sum in digits, where no other word changes it', () => {
    assert.equal(sumsInDigits('Twenty-five bucks back?'), '25 bucks back?')
    assert.equal(
      sumsInDigits('seventy dollars, or a hundred dollars'),
      '70 dollars, or 100 dollars',
    )
    for (const said of [
      'five hundred dollars',
      'ten dollars fifty',
      'six dollars and fifty cents',
      'half ten dollars',
      'a couple hundred dollars',
      'ten cents',
      'ten lamps',
    ]) {
      assert.equal(sumsInDigits(said), said)
    }
  })

  test('[S-14] is what is offered, and no more', async () => {
    const { answers } = await writes(
      'C-007',
      'there is a snag in my scarf. might I get eight dollars back?',
      'yes please',
    )
    assert.match(answers.at(-2) ?? '', /\$8\.00 for Wool Scarf/)
    assert.match(answers.at(-1) ?? '', /refund of \$8\.00 for order O-12364/)
  })

  test('[S-14] that is not sure, or another one, is asked for', async () => {
    await each(
      ['C-007'],
      [
        'might I get about eight dollars back for the scarf?',
        'could I get five or fifteen dollars back for the scarf?',
        'give me less than eight dollars back for the scarf',
      ],
      /^How much of order O-12364 shall I refund/,
    )
    await answeredAfter('C-007', ['refund eight dollars of the scarf'], ['yes, nine dollars'], /\?/)
  })
})

describe('a call to stop', () => {
  test('[S-13] right after something was done says that it is done', async () => {
    await answeredAfter(
      'C-004',
      ['cancel the jeans order', 'yes'],
      ['hang on, please do not cancel that', 'oh stop, not that one, don’t do it'],
      /can't bring order O-12355 back[^]*order it anew/,
    )
  })

  test('[S-13] means what was offered, where something was', async () => {
    await answeredAfter(
      'C-004',
      ['cancel the jeans order', 'yes', 'can I refund or return the earbuds?'],
      ['wait, please don’t do that'],
      /^All right/,
    )
  })

  test('[S-13] is none where nothing was done, or nothing else is wanted', async () => {
    await answeredAfter('C-004', ['where are my jeans'], ['hang on, do not do that'], /^All right/)
    await answeredAfter(
      'C-004',
      ['cancel the jeans order', 'yes'],
      ['no, nothing more, thanks', 'that was all, no more questions'],
      /^(?!I can't bring)/,
    )
  })
})

describe('one order that was just told', () => {
  test('[S-13] is spoken of, though it stood in a list', async () => {
    await answeredAfter(
      'C-019',
      ['anything under way to me?'],
      ['what is inside it?', 'which things does it hold'],
      /O-12403[^]*Grey Hoodie/,
    )
    await answeredAfter(
      'C-019',
      ['anything under way to me?'],
      ['where exactly is that going?'],
      /O-12403 goes to 55 Northgate/,
    )
  })

  test('[S-13] is the latest or first, where that is asked for', async () => {
    await each(
      ['C-014'],
      ['what is my newest order?', 'what did I buy last?', 'which was my most recent purchase'],
      /^That is order O-12389 \(Slim Jeans[^]*Oct 14\)$/,
    )
    await each(['C-014'], ['show me my recent orders'], /^Your orders: O-12389/)
    await answeredAfter('C-014', ['what is my newest order?'], ['tracking no?'], /866682802260/)
  })

  test('[S-13] is meant by everything in it', async () => {
    await each(
      ['C-003'],
      ['refund everything from the late order', 'refund all the things in my delayed order'],
      /^(?![^]*O-12353)[^]*above 500 dollars/,
    )
    await each(['C-014'], ['cancel everything except the newest order'], /O-12389[^]*O-12390/)
  })
})

describe('a question beside what is spoken of', () => {
  test('[S-13] of sending back is no duty of a refund', async () => {
    await answeredAfter(
      'C-014',
      ['refund the puzzle'],
      ['must I send it back once it arrives?', 'would we need to return it when it comes?'],
      /^For a refund you don't have to send anything back/,
    )
    await each(['C-014'], ['can I send the puzzle back when it has come?'], /^Yes: once an order/)
  })

  test('[S-13] of the time that is counted is no question of the colleague', async () => {
    await answeredAfter(
      'C-015',
      ['send back the steel bottle'],
      ['when do you start to count those 30 days?', 'what day do the 30 days count from?'],
      /^The 30 days begin on the day of delivery/,
    )
    await answeredAfter(
      'C-015',
      ['send back the steel bottle'],
      ['when would one answer?'],
      /Monday to Friday/,
    )
  })

  test('[S-13] of costs is one of cancelling, where that is spoken of', async () => {
    await answeredAfter(
      'C-018',
      ['what if I cancelled the pan order?'],
      ['does it cost something?', 'is that free?'],
      /^No, cancelling costs nothing/,
    )
    const last = await lastAnswer('C-014', 'cancel the jeans', 'is that free?')
    assert.doesNotMatch(last, /cancelling costs/)
  })

  test('[S-13] of a call tells the one that is noted, and only that', async () => {
    await answeredAfter(
      'C-017',
      ['when does the desk come?'],
      ['do they phone ahead of coming?', 'will I get a call first?'],
      /^Noted with order O-12398: a call the day before/,
    )
    await answeredAfter('C-014', ['where is the puzzle?'], ['do they ring before?'], /^(?!Noted)/)
  })

  test('[S-13] of the label is one of the return that was started', async () => {
    await answeredAfter(
      'C-010',
      ['return the running shoes', 'yes'],
      ['where is that label?', 'so where is the label now?'],
      /^The label comes with the confirmation/,
    )
  })

  test('[S-13] which remedy is better is answered before both are offered', async () => {
    await each(
      ['C-004'],
      ['the earbuds hurt. is a refund or a return faster?'],
      /^Both are possible[^]*A refund is faster[^]*O-12356, or start its return\. Which/,
    )
    await each(['C-004'], ['refund or return the earbuds'], /^(?!Both are)/)
  })
})

describe('a sum for one of several equal things', () => {
  test('[S-13] is asked for that one', async () => {
    await answeredAfter(
      'C-016',
      ['give me 60 dollars back for the bulbs'],
      ['ok, 17.49 for just one pack then'],
      /^Shall I refund \$17\.49 for LED Bulb/,
    )
  })
})
