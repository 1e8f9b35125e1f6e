import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSupportAgent, DEMO_DAY, JSONDataSource } from '@echelon/support'
import { systemClock } from 'echelon/internal/platform'

/** A customer of the demo shop who writes one message after the other: the last answer. */
async function answer(customerId: string, ...texts: readonly string[]): Promise<string> {
  const now = (): number => Date.parse(`${DEMO_DAY}T12:00:00Z`)
  const clock = { ...systemClock, now }
  const agent = await createSupportAgent({ dataSource: new JSONDataSource(), clock })
  const answers: string[] = []
  for (const text of texts) answers.push((await agent.resolve({ text, customerId }, 's')).text)
  return answers.at(-1) ?? ''
}

/** The last answer to each text, written by a customer after the same beginning. */
async function each(
  [customerId, before]: readonly [string, string],
  texts: readonly string[],
  expected: RegExp,
): Promise<void> {
  for (const text of texts) assert.match(await answer(customerId, before, text), expected, text)
}

const RETURN = ['C-004', 'i would like to return my earbuds'] as const
const MUG = ['C-001', 'refund one mug of O-12346'] as const
const ORDER = ['C-001', 'refund O-12346'] as const
const PLACE = [
  'C-018',
  'change the address of O-12402 to 541 Oak Hollow Dr, Waco, TX 76701',
] as const

describe('a yes', () => {
  test('[S-13] with a reason is a yes', async () => {
    const reasons = [
      "yes, they don't fit my ears",
      'yes, they dont fit my ears',
      'ok do it, they keep falling out',
      "yep, because they don't charge",
      "yes, the earbuds aren't for me",
    ]
    await each(RETURN, reasons, /return of order O-12356 is registered/)
  })

  test('[S-13] that says once more what is asked is a yes', async () => {
    const same = ['yes the full amount', 'yes, everything', 'yes, all of it please']
    await each(ORDER, same, /refund of \$46\.70 .* on its way/)
    await each(RETURN, ["yes that's right, the earbuds"], /is registered/)
    await each(
      ['C-001', 'refund both mugs of O-12346'],
      ['yes both'],
      /refund of \$29\.90 .* on its way/,
    )
  })

  test('[S-13] that changes what is asked, or depends on something, does not count', async () => {
    const changes = [
      'yes but only the left one',
      "yes, if it's free",
      'yes, first tell me the cost',
      'yes, they told me it is free',
      "yes, the jeans don't fit",
      "yes, don't do it yet",
      'yes, after I get the label',
    ]
    await each(RETURN, changes, /^(?!.*is registered)/su)
    const others = ['yes both', 'yes, the book', 'yes the full amount', 'yes, half the price']
    await each(MUG, others, /^(?!.*is on its way)[^]*Shall I refund/u)
  })
})

describe('before a confirmation', () => {
  test('[S-13] another number of equal things, or a share, is asked back', async () => {
    await each(
      MUG,
      ['yes both', 'wait, refund for both please'],
      /^Shall I refund \$29\.90 for 2 ×/,
    )
    await each(MUG, ['half the price would be fair and I keep it'], /^Shall I refund \$7\.48/)
    await each(
      ['C-001', 'refund both mugs of O-12346'],
      ['just one of them'],
      /^Shall I refund \$14\.95/,
    )
    const paid = await answer('C-001', MUG[1], 'half the price is fine', "yes that's good, thanks")
    assert.match(paid, /refund of \$7\.48 /)
  })

  test('[S-13] a no to both of them is no change', async () => {
    await each(MUG, ['no, both are fine, leave it', 'no, both are ok'], /^(?!.*29\.90)/su)
  })

  test('[S-13] "not this, that" is about the other order', async () => {
    const said = [
      'no sorry not the bedding, the desk and chair I meant',
      'not the bedding, the desk',
    ]
    await each(['C-003', 'I want to send the bedding back'], said, /order O-12351 is delayed/)
    await each(['C-003', 'I want to send the bedding back'], ['no, not the bedding'], /leave it/)
  })
})

describe('an address', () => {
  test('[S-13] keeps the parts that a correction leaves out', async () => {
    await each(
      PLACE,
      ['sorry, 514 Oak Hollow Dr', '514, not 541'],
      /to 514 Oak Hollow Dr, Waco, TX 76701\?$/,
    )
    await each(
      PLACE,
      ['oops the zip is 76705, not 76701'],
      /to 541 Oak Hollow Dr, Waco, TX 76705\?$/,
    )
    await each(PLACE, ['no, apartment 4'], /to 541 Oak Hollow Dr, apartment 4, Waco, TX 76701\?$/)
    const done = await answer(...PLACE, 'yes', 'oops the zip is 76705, not 76701')
    assert.match(done, /^Shall I send .* to 541 Oak Hollow Dr, Waco, TX 76705\?$/)
  })

  test('[S-13] is asked for where none is given', async () => {
    const said = [
      "it's going to be 2 weeks before I know",
      'apartment 4',
      "the office, I'm there at 5",
    ]
    await each(['C-018', 'change the address of O-12402'], said, /What's the new address\?$/)
  })

  test('[S-13] to which an own thing is to be sent is its new one', async () => {
    const to = '90 E Speedway Blvd, Tucson, AZ 85701'
    for (const text of [
      `can you ship my cast iron pan to ${to}`,
      `please send the mugs to ${to} instead, I'm traveling`,
      `The pan is going to the office but I'm at home next week. Could you send it to ${to} instead?`,
      `I'd like you to deliver O-12402 to ${to}. Thanks`,
    ]) {
      assert.match(
        await answer('C-018', text),
        /^Shall I send order O-12402, .* to 90 E Speedway Blvd, Tucson, AZ 85701\?$/,
        text,
      )
    }
    for (const text of [
      `did you send my pan to ${to}?`,
      `send the invoice for my pan to ${to}`,
      `don't send my pan to ${to}`,
      `if it's late send it to ${to}`,
    ]) {
      assert.doesNotMatch(await answer('C-018', text), /^Shall I send/, text)
    }
  })
})
