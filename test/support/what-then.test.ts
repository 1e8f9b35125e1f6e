import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeredAfter, lastAnswer, writes } from './writes.ts'

const NOTHING_BACK = /^For a refund you don't have to send anything back/

describe('a parcel that comes after its refund', () => {
  test('[S-13] needs not be sent back, whether the refund is open, waits, or was made', async () => {
    const texts = [
      'and if the driver rings with it on Thursday after all, must I turn him away?',
      'what do I do with it in case it still arrives?',
    ]
    await answeredAfter('C-008', ['refund the late hoodie and jeans'], texts, NOTHING_BACK)
    await answeredAfter('C-008', ['refund the late hoodie and jeans', 'yes'], texts, NOTHING_BACK)
    await answeredAfter('C-014', ['refund the late puzzle', 'yes'], texts, NOTHING_BACK)
  })

  test('[S-13] may be asked about with the yes', async () => {
    const answer = await lastAnswer(
      'C-014',
      'refund the late puzzle',
      'yes go on, and when it arrives anyway, do I keep it?',
    )
    assert.match(answer, NOTHING_BACK)
    assert.match(answer, /is on its way$/)
  })

  test('[S-13] is another thing than one that was cancelled, or not asked about yet', async () => {
    assert.doesNotMatch(
      await lastAnswer('C-004', 'cancel my jeans', 'yes', 'if it comes anyway, do I keep it?'),
      /For a refund/,
    )
    assert.doesNotMatch(
      await lastAnswer('C-001', 'where is my t-shirt?', 'when it comes, must I sign for it?'),
      /For a refund/,
    )
  })
})

describe('the time to decide', () => {
  const UNTIL_SHIPPED = /^An order can be cancelled until it has been shipped/

  test('[S-13] is that of a cancellation where one is spoken of', async () => {
    await answeredAfter(
      'C-016',
      ['cancel the hoodie order', 'no, not now'],
      ['how long have I got to make up my mind?', 'up to when could I still call it off?'],
      UNTIL_SHIPPED,
    )
    assert.match(
      await lastAnswer('C-016', 'cancel the hoodie order', 'no. by when do I have to decide?'),
      UNTIL_SHIPPED,
    )
  })

  test('[S-13] is that of a return for what was delivered', async () => {
    assert.match(await lastAnswer('C-007', 'how long can I decide about the scarf?'), /Nov 15/)
  })
})

describe('a refusal for age', () => {
  test('[S-13] is followed by what the documents say of a warranty', async () => {
    await answeredAfter(
      'C-009',
      ['I want my money back for the charger'],
      [
        'but a charger has some warranty, no?',
        'it is seven weeks old. Is there no guarantee on it?',
      ],
      /^Within 30 days of delivery.*Of a warranty beyond that I know nothing.*colleague to look at it\?$/,
    )
  })

  test('[S-13] is explained to other objections as before', async () => {
    assert.match(
      await lastAnswer(
        'C-009',
        'I want my money back for the charger',
        'it is only seven weeks old',
      ),
      /more than 30 days ago/,
    )
  })
})

describe('nobody at home, and points to pick it up', () => {
  test('[S-13] are up to the carrier', async () => {
    await answeredAfter(
      'C-017',
      ['when does the desk come?'],
      [
        'and if nobody is home then, what do they do with it?',
        'could my dad fetch it from a FedEx point?',
        "no that's fine. What happens with it if nobody is in?",
      ],
      /That is up to the carrier/,
    )
  })
})

describe('one of several copies', () => {
  test('[S-13] is refunded at the price of one', async () => {
    await answeredAfter(
      'C-012',
      [],
      [
        'I got 2 copies of the salt path and one has 15 torn pages, refund that one',
        'of my 2 books one came ripped in half, I want the money for it',
      ],
      /Shall I refund \$16\.80 for The Salt Path/,
    )
  })

  test('[S-13] is priced where an amount is asked for', async () => {
    const asked = 'refund some of the money for one salt path, 3 or 4 dollars'
    assert.match(await lastAnswer('C-012', asked), /^How much/)
    await answeredAfter(
      'C-012',
      [asked],
      ['just the price of one', 'as much as a single copy costs'],
      /Shall I refund \$16\.80/,
    )
  })

  test('[S-19] is not taken for half of the price, or without its thing', async () => {
    const asked = 'refund some of the money for one salt path, 3 or 4 dollars'
    for (const text of ['half of what one costs', 'not what I paid'])
      assert.doesNotMatch(await lastAnswer('C-012', asked, text), /Shall I refund \$16\.80/, text)
  })
})

describe('a joke and a goodbye', () => {
  test('[S-19] take back what was said before', async () => {
    const { answers, data } = await writes(
      'C-004',
      'where are my jeans?',
      'refund me a million! haha only joking. bye now',
    )
    assert.match(answers[1] ?? '', /Goodbye/)
    const { data: kept } = await writes('C-004', 'cancel my jeans', 'yes. no, just kidding')
    assert.equal((await kept.getOrder('O-12355'))?.['status'], 'processing')
    assert.equal((await data.getOrder('O-12355'))?.['status'], 'processing')
  })

  test('[S-13] are no doubt whether the shop is serious', async () => {
    const { data } = await writes('C-004', 'cancel my jeans', 'are you kidding? yes, do it')
    assert.equal((await data.getOrder('O-12355'))?.['status'], 'cancelled')
  })

  test('[S-13] are answered in kind while a colleague has the conversation', async () => {
    const before = ['I want a person'] as const
    assert.match(
      await lastAnswer('C-002', ...before, 'all right, then I wait. Have a good Sunday!'),
      /you too/,
    )
    assert.match(await lastAnswer('C-002', ...before, 'thank you very much'), /welcome/)
    assert.match(
      await lastAnswer('C-002', ...before, 'it is about the tent that leaks'),
      /reads this too/,
    )
  })
})
