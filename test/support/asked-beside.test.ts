import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeredAfter, writes } from './writes.ts'

const after = answeredAfter

describe('a question that documents hold', () => {
  test('[S-13] is answered, whatever it names besides', async () => {
    await after(
      'C-003',
      [],
      ['does anyone have to be at home when the desk arrives?'],
      /^That is up to the carrier/,
    )
    await after('C-018', [], ['do you still sell the backpack in grey?'], /page of each product/)
    await after(
      'C-012',
      [],
      ['I have no credit card. Is PayPal fine?', 'My friend lives in Oslo. Do you ship there?'],
      /^(?:You can pay by|We deliver within)/,
    )
  })

  test('[S-13] may be a worry instead of a question', async () => {
    await after('C-012', [], ['the checkout refused my card again'], /^If a payment was refused/)
    await after('C-012', [], ['a stranger got into my account'], /^Change your password at once/)
  })

  test('[S-13] is none in a filler beside a report', async () => {
    const { answers } = await writes('C-017', 'the strap of the watch is torn. how does that work?')
    assert.match(answers[0] ?? '', /I can refund \$179\.00/)
    assert.doesNotMatch(answers[0] ?? '', /don't know/)
  })
})

describe('before and after a refund', () => {
  const REFUND = ['refund the burgundy scarf please'] as const

  test('[S-19] whether something goes back is answered, and starts no return', async () => {
    await after(
      'C-007',
      REFUND,
      ['do I need to mail it back to you?', 'so I can keep it?', 'may I bin it then?'],
      /don't have to send anything back[^]*Shall I refund \$34\.00/,
    )
    const { data } = await writes('C-007', ...REFUND, 'must I post it back?', 'yes')
    assert.equal((await data.getOrder('O-12364'))?.['status'], 'refunded')
  })

  test('[S-13] a choice behind the question is taken, and confirmed first', async () => {
    await after(
      'C-007',
      ['the burgundy scarf has a hole'],
      ['so I may keep it with a refund? Then a refund please'],
      /don't have to send anything back[^]*Shall I refund \$34\.00/,
    )
  })

  test('[S-13] what comes next is told', async () => {
    await after('C-007', [...REFUND, 'yes'], ['what happens now?'], /^Nothing more has to be done/)
    await after(
      'C-007',
      ['send back the burgundy scarf', 'yes'],
      ['what do I do next?', 'does the money come automatically once you have it?'],
      /^You get a label[^]*does not come by itself/,
    )
  })
})

describe('what the data holds', () => {
  test('[S-13] is told of a payment', async () => {
    await after('C-009', [], ['how did I pay for the mug?'], /^You paid \$14\.95[^]*can't see/)
    await after(
      'C-009',
      [],
      ['what did shipping for the mug cost me?'],
      /items cost \$14\.95 together, so no delivery fee is in it/,
    )
  })

  test('[S-13] is the day by which refunded money is there', async () => {
    await after(
      'C-019',
      [],
      ['when do I get the money for the jeans back?'],
      /refunded \(\$99\.89\) on Oct 16[^]*Oct 27/,
    )
  })

  test('[S-13] is the last day of a return, as the rules count it', async () => {
    await after('C-004', [], ["what's the last day for the earbuds?"], /is Nov 13, until 12:04 UTC/)
    await after(
      'C-015',
      [],
      ['until when can the mat go back?'],
      /more than 30 days ago[^]*was Oct 16/,
    )
  })
})

test('[S-19] an order on a condition is no question', async () => {
  const { answers, data } = await writes('C-005', 'refund the yoga mat if it is late again')
  assert.doesNotMatch(answers[0] ?? '', /on its way/)
  assert.equal((await data.getOrder('O-12359'))?.['status'], 'delayed')
})
