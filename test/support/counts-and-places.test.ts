import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeredAfter as after, lastAnswer as answer } from './writes.ts'

const said = async (customer: string, ...texts: readonly string[]): Promise<string> =>
  await answer(customer, ...texts)

describe('what has to be sent back, and its money', () => {
  const RETURNED = ['C-007', 'send back the burgundy scarf', 'yes'] as const

  test('[S-13] the label of a return says where it goes', async () => {
    for (const text of ['to which address do I mail it?', 'where am I to send this?']) {
      assert.match(await said(...RETURNED, text), /label .* says where the parcel goes/, text)
    }
    assert.match(await said('C-001', 'which address does the lamp order go to?'), /18 Alder/)
  })

  test('[S-13] its money is offered, and never more than of what is sent back', async () => {
    assert.match(
      await said(...RETURNED, 'by when do I have my money?'),
      /^No refund has been made[^]*Shall I refund \$34\.00/,
    )
    const part = ['C-014', 'start the return of the charger', 'yes'] as const
    assert.match(await said(...part, 'when is the money for it there?'), /refund \$39\.95 for 65 W/)
    assert.match(await said('C-013', 'did my tent return arrive?', 'and when am I paid?'), /\$199/)
  })
})

describe('the money of an order that was cancelled', () => {
  test('[S-13] is told, and nothing is cancelled', async () => {
    await after(
      'C-010',
      [],
      [
        'the mat order that I cancelled, was that money sent back to me?',
        'did I get my money for the cancelled order?',
        'have you reimbursed the order I called off, the cancelled one?',
      ],
      /cancelled on Oct 12.*\$66\.50.*Oct 21/,
    )
  })
})

describe('how many of a thing', () => {
  test('[S-13] are in the orders that hold it', async () => {
    assert.match(await said('C-007', 'is it one puzzle or two?'), /holds 1 × Puzzle, 1000/)
    assert.match(await said('C-008', 'how many lamps did I buy?'), /holds 2 × Desk Lamp, Brass$/)
    const both = await said('C-020', 'how many bottles are in the steel bottle order?')
    assert.match(both, /O-12410 \(processing\) holds 1 × Steel Bottle/)
  })

  test('[S-13] are told of each order, and that there is no other', async () => {
    const sole = await said('C-006', 'did I order the cast iron pan two times?')
    assert.match(sole, /O-12361 .* holds 1 × Cast Iron Pan.*no other order/)
    assert.doesNotMatch(await said('C-006', 'did I order the drone twice?'), /holds/)
  })
})

describe('what is not sent from here', () => {
  test('[S-13] is said of invoices, links and mails', async () => {
    assert.match(
      await said('C-005', 'email me the invoice of the kettle'),
      /^I can't send an invoice by mail[^]*Total \$78\.65/,
    )
    assert.match(await said('C-015', 'is there a tracking link for the bedding?'), /no link/)
    const mailed = ['invoice of the kettle please', 'just mail it to me please']
    assert.match(await said('C-005', ...mailed), /can't send/)
  })
})

describe('a delivery fee, and the first date', () => {
  test('[S-13] follow from what the data holds', async () => {
    assert.match(
      await said('C-009', 'was 4.90 for delivery in what I paid for the mug?'),
      /no delivery fee is in it/,
    )
    assert.match(
      await said('C-002', 'are my running shoes coming later than planned?'),
      /not marked as delayed, and that is the only date/,
    )
    assert.match(
      await said('C-017', 'what was the original date for the desk?'),
      /delayed.*planned at first I can't see/,
    )
    assert.match(
      await said('C-003', 'what was the original date for the desk?'),
      /first expected on Oct 15\. It is delayed with FedEx, new ETA Oct 23/,
    )
  })
})

describe('the one parcel that is expected', () => {
  test('[S-13] is meant where no other is named', async () => {
    assert.match(
      await said('C-019', 'in transit for ages, where is my parcel?'),
      /^Your order O-12403/,
    )
    assert.match(await said('C-019', 'where is my refund?'), /O-12405/)
    assert.doesNotMatch(await said('C-001', 'where is my parcel?'), /^Your order/)
  })

  test('[S-13] the same address once more confirms nothing, and drops nothing', async () => {
    const address = '77 Elm Hollow Rd, Waco, TX 76701'
    const before = [`change the address of O-12402 to ${address}`]
    await after(
      'C-018',
      before,
      [`no, the address is only ${address}`],
      /^Shall I send order O-12402/,
    )
    await after('C-018', before, [`no, don't send it to ${address}`], /^(?!Shall I send)/)
    assert.match(
      await said('C-018', 'could the mugs and the pan go to my workplace instead?'),
      /new address/,
    )
  })
})
