import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { each, lastAnswer as last, writes } from './writes.ts'

const NO_CHANGES = /^The items of an order can't be changed once it is placed\./
const NO_EXCHANGES = /^We don't exchange items\./

describe('a subject for which something else can be done', () => {
  test('[S-13] is not money that is asked for, nor a question of how much', async () => {
    await each(
      ['C-005', 'is there any news of my yoga mat?'],
      ['could I be refunded rather than wait on?', 'a refund instead of more waiting, please'],
      /\brefund \$42\.00 for Yoga Mat, Green, order O-12359/,
    )
    await each(
      ['C-017', 'what would I get back if I gave up on the desk?'],
      ['so it would be the whole 489?', 'and it would be the entire $489?'],
      /^Yes, I can request to refund \$489\.00 for Standing Desk/,
    )
  })

  test('[S-13] is not an order that the agent should place', async () => {
    await each(
      ['C-020', 'cancel the steel bottle please', 'yes'],
      ['can you put it through again for me?', 'would you submit the same order anew please?'],
      /^You place an order on the shop's page/,
    )
  })

  test('[S-13] is read by words of its own, also in a story of what customers did themselves', async () => {
    await each(
      ['C-006'],
      [
        'there are two bottles in the tent order by accident, I just wanted one',
        'I put two bottles in with the tent by mistake, I only meant one',
      ],
      NO_CHANGES,
    )
  })

  test('[S-13] is answered before what is offered for the thing', async () => {
    const told = (
      await writes(
        'C-003',
        'the bedding feels great but it is darker than in the picture. could I swap it for a lighter one?',
        'ok the refund then',
      )
    ).answers
    assert.match(told[0] ?? '', NO_EXCHANGES)
    assert.match(told[0] ?? '', /I can start the return of Linen Bedding Set/)
    // A refund is no yes to the return.
    assert.match(told[1] ?? '', /^Shall I refund \$139\.50/)
  })

  test('[S-13] leaves trouble that the shop caused a report', async () => {
    await each(
      ['C-014'],
      ['you sent the wrong charger by mistake', 'my charger is dead, I only need one that works'],
      /^(?:I'm sorry about that\.|We don't exchange)/,
    )
  })
})

describe('after something was cancelled', () => {
  test('[S-19] a question of when the money is there asks for the time', async () => {
    await each(
      ['C-020', 'cancel the steel bottle please', 'yes'],
      [
        "when's my cash back then?",
        'cool. how many days until the money shows up?',
        'by when is the refund on my card',
      ],
      /What you paid, \$24\.50, is given back within 5 to 7 business days from then, by/,
    )
  })
})

describe('a delayed order', () => {
  test('[S-19] can be refunded by who will not wait for it, then a part of it', async () => {
    const told = (
      await writes(
        'C-003',
        'where are my desk and chair?',
        'I am not going to wait that long, give me everything back',
        'and how about only the chair? I want to keep the desk',
      )
    ).answers
    assert.match(told[1] ?? '', /refunds above 500 dollars are not made here\. Shall I get a coll/)
    assert.match(told[2] ?? '', /^Shall I refund \$259\.90 for Office Chair, Mesh, order O-12351\?/)
  })

  test('[S-19] is not refunded in part by a haggle about a voucher', async () => {
    const before = ['C-014', 'do I get a coupon because my puzzle is so late?'] as const
    const none = /I have no vouchers or other compensation to give|^I know no more about that/
    await each(before, ['nothing at all? not even $10?', 'come on, 15% off the next one?'], none)
    assert.match(
      await last(...before, 'really not even ten dollars?', 'well then give me a refund'),
      /^Shall I refund \$21\.50 for Puzzle/,
    )
  })

  test('[S-19] is refunded in part where a sum is asked back for a thing', async () => {
    assert.match(
      await last('C-014', 'where is my puzzle?', 'can you refund 10 dollars of it?'),
      /refund \$10\.00 for Puzzle/,
    )
  })

  test('[S-19] is refunded as a whole if a sum is not asked for again', async () => {
    const before = ['C-005', 'would I get back 10 dollars for the yoga mat?'] as const
    assert.match(await last(...before), /refund \$10\.00 for Yoga Mat/)
    await each(
      before,
      ['then the whole refund', 'I want my money back then'],
      /refund \$42\.00 for/,
    )
    await each(
      before,
      ['yes', 'yes, the refund please', 'ok, the 10 dollars then'],
      /refund (?:of )?\$10\.00 for/,
    )
  })
})
