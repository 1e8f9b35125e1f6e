import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeredAfter, each, lastAnswer, writes } from './writes.ts'

describe('the money of an order that is over', () => {
  test('[S-13] is told with the day by which it is given back, and never refused again', async () => {
    const asked = [
      'was the 39.95 paid back to me?',
      'I only care about the money, is it back?',
      'can I have a refund for that then',
      'have I been refunded or not',
    ]
    await answeredAfter(
      'C-003',
      ['what happened to the charger I bought?'],
      asked,
      /cancelled on Sep 30[^]*\bby Oct 9/,
    )
    const told = (
      await writes(
        'C-003',
        'did the 39.95 for the charger come back?',
        'so was it refunded or not',
        "it's been weeks and nothing on my card",
      )
    ).answers
    assert.match(told[1] ?? '', /Shall I get a colleague/)
    assert.notEqual(told[1], told[2])
    assert.notEqual(told[0], told[1])
  })

  test('[S-13] is not told where something else is asked', async () => {
    const charger = 'what happened to the charger I bought?'
    assert.match(await lastAnswer('C-003', charger, 'where is my watch?'), /O-12353/)
    assert.match(
      await lastAnswer('C-003', charger, 'how do refunds work in general?'),
      /From: Refunds/,
    )
    assert.match(await lastAnswer('C-003', charger, 'refund the bedding'), /Shall I refund \$139/)
    assert.match(
      await lastAnswer('C-005', 'refund the mat', 'yes', 'can you undo the refund'),
      /can't be taken back/,
    )
  })

  test('[S-13] of what goes back is its price, which is asked for once it was sent', async () => {
    await answeredAfter(
      'C-004',
      ['I want to return the earbuds'],
      ['how big is the refund?', 'how much do I get for them?', 'do I get the whole price back?'],
      /You paid \$89\.00[^]*once you have sent it[^]*Shall I start the return/,
    )
    const last = ['I want to return the earbuds', 'yes', 'and do I see it on my visa?'] as const
    assert.match(await lastAnswer('C-004', ...last), /back on the means of payment you used/)
  })

  test('[S-19] that a colleague has to approve says when one does', async () => {
    await answeredAfter(
      'C-003',
      ['refund my bedding please'],
      ['how long does an approval take?', 'when is that approved?'],
      /Monday to Friday, 9 am to 6 pm[^]*How long that takes I can't say/,
    )
    const waits = await writes(
      'C-003',
      'refund my bedding please',
      'yes please, and how long until it is approved?',
    )
    assert.match(
      waits.answers[1] ?? '',
      /Monday to Friday[^]*A colleague has to approve that first/,
    )
  })
})

describe('two charges for one order', () => {
  test('[S-13] stay the subject, in other words each time', async () => {
    const { answers, data } = await writes(
      'C-016',
      'my bank shows a double payment to you',
      "that's for the hoodie, I see both of them",
      "no, I don't cancel anything, I paid 81.50 twice",
      'and the double payment?',
    )
    assert.match(answers[0] ?? '', /usually a reservation/)
    assert.match(answers[1] ?? '', /not what your card or bank shows[^]*Shall I get a colleague/)
    assert.equal(new Set(answers).size, answers.length)
    assert.ok(answers.every((one) => !one.includes('cancel')))
    assert.equal((await data.getOrder('O-12394'))?.['status'], 'processing')
  })

  test('[S-13] leave room for other requests', async () => {
    const first = 'my bank shows a double payment to you'
    assert.match(await lastAnswer('C-016', first, 'ok. when does the hoodie come?'), /ETA Oct 25/)
    assert.match(await lastAnswer('C-016', first, 'cancel the hoodie'), /Shall I cancel/)
    assert.match(await lastAnswer('C-016', first, 'ok thanks, bye'), /welcome|Goodbye/)
  })
})

describe('the wrong thing, or too many', () => {
  test('[S-13] a size is no sum of money, and no exchange is made', async () => {
    const small = ['the shoes pinch, I ordered 42 and should have taken 43'] as const
    const told = await lastAnswer('C-010', ...small)
    assert.doesNotMatch(told, /\$4[23]\b/)
    assert.match(told, /return/)
    await answeredAfter(
      'C-010',
      [...small],
      ['I know. I need the 43', 'but I want a 43'],
      /(?:We don't exchange items|I know no more)[^]*(?:return of Trail Running Shoes|start its return)/,
    )
  })

  test('[S-19] that something is known agrees to nothing', async () => {
    for (const text of ['yes I know', 'yes, I know. I want 34/32', 'yeah I saw that']) {
      const { data } = await writes('C-004', 'cancel the jeans order', text)
      assert.equal((await data.getOrder('O-12355'))?.['status'], 'processing', text)
    }
    const { data } = await writes('C-004', 'cancel the jeans order', 'I know, go ahead')
    assert.equal((await data.getOrder('O-12355'))?.['status'], 'cancelled')
  })

  test('[S-13] of two copies one goes back, at its price', async () => {
    const two = 'two copies of the salt path came, I need only one of them'
    assert.match(await lastAnswer('C-012', two), /refund \$16\.80 for The Salt Path/)
    await answeredAfter(
      'C-012',
      [two],
      ['just one copy of course, the other I keep', 'yes but only one copy'],
      /\$16\.80 for The Salt Path[^]*Which would you like/,
    )
    assert.match(
      await lastAnswer('C-012', two, 'the return, just one copy'),
      /Shall I start the return of 1 × The Salt Path/,
    )
  })

  test('[S-13] what is missing is not sent, and its money not pressed on anybody', async () => {
    const missing = 'there is only one cable in the parcel, I paid for two of them'
    assert.match(await lastAnswer('C-014', missing), /refund \$12\.99 for USB-C Cable/)
    await answeredAfter(
      'C-014',
      [missing],
      [
        'I prefer the cable to the money, not the money',
        'I want the second cable rather than the money',
        'can you send the missing cable?',
      ],
      /I can't send a replacement[^]*or get a colleague/,
    )
  })

  test('[S-13] the other one of two is left alone', async () => {
    const chipped = 'one of my mugs has a chip'
    await answeredAfter(
      'C-001',
      [chipped],
      ['the money for it please, the other mug is fine', 'refund that one, the second mug is ok'],
      /Shall I refund \$14\.95 for Stoneware Mug/,
    )
    await answeredAfter(
      'C-001',
      [chipped, 'refund the book'],
      ['no, not the book, the chipped mug', 'sorry, not the book. the mug'],
      /Shall I refund \$14\.95 for Stoneware Mug/,
    )
  })

  test('[S-13] what was delivered is got rid of by a return or a refund', async () => {
    await each(
      ['C-020'],
      ['I want to get rid of that chair', 'this chair kills my back, away with it'],
      /(?:refund \$259\.90|start the return)[^]*(?:its return|refund \$259\.90)[^]*Which/,
    )
    assert.match(await lastAnswer('C-001', 'I want to get rid of the lamp order'), /Shall I cancel/)
  })
})

describe('a question that is answered with no', () => {
  test('[S-13] begins with no yes', async () => {
    const asked = [
      'would I have to pay something to send the scarf back?',
      'will I be charged if I return the scarf?',
      'do I have to give a reason when I return the scarf?',
      'would it take long to get my money for the scarf?',
      'will I lose anything if I send the scarf back?',
    ]
    for (const text of asked) {
      assert.doesNotMatch(await lastAnswer('C-007', text), /^Yes/, text)
    }
    assert.match(await lastAnswer('C-007', 'could I get a refund for the scarf?'), /^Yes/)
  })
})

describe('the account', () => {
  test('[S-13] a mail that does not come is no order', async () => {
    await answeredAfter(
      'C-011',
      ['I forgot my password'],
      ['did that, no link arrives', "I don't get any mail with a link"],
      /Look in the spam folder/,
    )
    const again = ['I forgot my password', 'no link arrives', 'not in spam either'] as const
    assert.match(await lastAnswer('C-011', ...again), /Shall I get a colleague/)
    assert.match(
      await lastAnswer('C-001', 'there was never a mail to confirm my order of the lamp'),
      /An order that I see here has been placed/,
    )
    assert.match(
      await lastAnswer('C-002', 'please delete my account', 'can you do it for me?'),
      /Shall I get a colleague/,
    )
  })
})
