import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeredAfter as after, writes } from './writes.ts'

describe('what would be', () => {
  test('[S-13] is answered by the rules for that order, and nothing is done', async () => {
    await after(
      'C-005',
      ['where is my yoga mat'],
      [
        'and if it never comes, do I get my money back?',
        "in case it isn't here on Tuesday, can I still get a refund?",
        'suppose I wanted a refund for it, would I get everything back?',
        'would I get a refund if I asked for one?',
      ],
      /^Yes, I can refund \$42\.00 for Yoga Mat/,
    )
    await after(
      'C-003',
      ['where is my desk'],
      [
        'if I asked for the whole money, would you give it to me?',
        'would I get all my money back?',
      ],
      /^No: refunds above 500 dollars/,
    )
  })

  test('[S-13] says that a colleague has to approve it, and when one answers', async () => {
    await after(
      'C-017',
      ['where is the standing desk'],
      ['if I were to ask for my money, would I have it today?'],
      /a colleague has to approve that first\.[^]*Monday to Friday/,
    )
  })

  test('[S-13] says what a return costs and what was paid', async () => {
    await after(
      'C-013',
      [],
      ['if I sent the office chair back, what would I get back and who pays the postage?'],
      /start the return of Office Chair, Mesh[^]*Returns are free/,
    )
  })

  test('[S-13] says what is possible later', async () => {
    await after(
      'C-005',
      ['when does the backpack come'],
      ["if I don't like the color, can I send it back?", 'could I return it if it is too small?'],
      /^Not now:[^]*Once it has arrived, you can send it back within 30 days/,
    )
  })

  test('[S-13] what the customer would do comes before what they would get', async () => {
    await after(
      'C-016',
      [],
      [
        'how much do I get back if I cancel the hoodie order?',
        'if we cancelled the hoodie, would the money come back?',
      ],
      /I can cancel order O-12394[^]*\$81\.50/,
    )
  })

  test('[S-13] an offer that says all is confirmed by one yes, and an order on a condition is none', async () => {
    const { answers, data } = await writes(
      'C-005',
      'where is my yoga mat',
      'if I wanted my money back for it, would that work?',
      'yes please',
    )
    assert.match(
      answers.at(-2) ?? '',
      /I can refund \$42\.00 .* This can't be taken back\. Shall I do it\?$/,
    )
    assert.match(answers.at(-1) ?? '', /refund of \$42\.00 .* is on its way/)
    assert.equal((await data.getOrder('O-12359'))?.['status'], 'refunded')
    await after(
      'C-005',
      ['where is my yoga mat'],
      ['refund it if it has not come by Tuesday', "if it's not there on Monday, cancel it please"],
      /I can't do anything later or on a condition/,
    )
  })

  test('[S-13] questions of the rules in general stay with the documents', async () => {
    await after('C-005', [], ['what happens if I cancel my order?'], /From: Cancelling an order/)
  })
})

describe('an offer of what is possible', () => {
  const OFFERED = ['where is my yoga mat', "and if I don't need it any longer?"]

  test('[S-13] is taken by one yes, in other words', async () => {
    for (const said of ['ok then do that', 'good, do it', 'yes please']) {
      const { answers } = await writes('C-005', ...OFFERED, said)
      assert.match(answers.at(-1) ?? '', /refund of \$42\.00 for order O-12359 is on its way/, said)
    }
  })

  test('[S-13] is confirmed once more where the yes has a doubt, or says another amount', async () => {
    await after(
      'C-005',
      OFFERED,
      [
        'yes, but only if it is free',
        'yes, 20 dollars',
        'yes, in a week',
        'sure, send me a new one',
      ],
      /^(?!.*on its way)/su,
    )
  })

  test('[S-13] is left by whoever does not take it', async () => {
    await after(
      'C-005',
      OFFERED,
      ['hm no', "no, I'd rather have it", 'let me sleep on it', 'not now'],
      /^All right/,
    )
  })
})

describe('after a refusal', () => {
  const LATE = ['I want to send the yoga mat back']

  test('[S-13] an objection hears the reason again, and is offered a colleague', async () => {
    await after(
      'C-015',
      LATE,
      [
        'why?',
        'that is so unfair, I was ill all week',
        "come on, it's just a day or two",
        'it fell apart after the first class',
        'do regular customers get an exception?',
        "can't you be generous for once",
        'oh please',
        'hmm. that is only a month and one day',
      ],
      /delivered more than 30 days ago\. I can't go beyond our rules\. Shall I get a colleague/,
    )
  })

  test('[S-13] a yes to the colleague may say what for', async () => {
    await after('C-015', LATE, ['yes, ask somebody please', 'sure, get one'], /H-0001/)
    await after(
      'C-015',
      LATE,
      ['yes but do not ask anybody yet', 'okay, I take it to a shop myself'],
      /^(?!.*H-0001)/,
    )
  })

  test('[S-13] another request is no objection', async () => {
    await after('C-015', LATE, ['fine. where is the bedding then?'], /^Your order O-12392 is/)
    await after(
      'C-019',
      ['cancel the hoodie order'],
      ['and is the hoodie still on its way?'],
      /^Your order O-12403/,
    )
    await after('C-015', LATE, ['ok thank you'], /welcome/)
    await after('C-015', LATE, ['no thanks'], /^All right/)
  })

  test('[S-13] the options are what the rules allow for that order', async () => {
    await after(
      'C-005',
      ['cancel the backpack order'],
      [
        'so what are my options?',
        'saw it cheaper at another shop. what now?',
        'what can I do then?',
      ],
      /^Order O-12360 is shipped[^]*Once it has arrived, you can send it back within 30 days/,
    )
    await after(
      'C-004',
      ['I want to send back my jeans order'],
      ['and what else could I do?'],
      /^I can cancel order O-12355[^]*address/,
    )
  })
})

describe('after something was done', () => {
  const MUG = ['refund one mug of O-12346', 'yes']

  test('[S-13] when the money comes is the time of refunds', async () => {
    await after(
      'C-001',
      MUG,
      [
        'when does it show up on my credit card?',
        'and how long does that take?',
        'when do I have it?',
      ],
      /5 to 7 business days/,
    )
  })

  test('[S-13] what was done is told, and that it was all', async () => {
    await after(
      'C-001',
      MUG,
      ['and the other mug stays as it is, right?', "you didn't touch anything else, did you?"],
      /This is all that was done[^]*\$14\.95 for order O-12346[^]*Nothing else was changed/,
    )
  })

  test('[S-13] what nobody knows is said not to be known', async () => {
    await after(
      'C-016',
      ['cancel the hoodie order', 'yes'],
      ['and if the parcel still shows up?', 'what do I do if it is delivered after all?'],
      /I won't guess\. Shall I get a colleague/,
    )
  })

  test('[S-13] what is cancelled is not opened again, and is ordered anew on the page', async () => {
    await after(
      'C-010',
      ['what about my yoga mat order'],
      ['please reactivate that order', 'could you reopen it?'],
      /a cancelled order can't be opened again[^]*order anew/,
    )
    await after(
      'C-016',
      ['cancel the hoodie order', 'yes'],
      ['and where do I order the new one?', 'how do I reorder it then?'],
      /"Checkout"/,
    )
  })
})

describe('while a colleague has to approve', () => {
  const DESK = ['refund the standing desk of O-12367', 'yes']

  test('[S-13] the hours of colleagues and what waits are told', async () => {
    await after(
      'C-008',
      DESK,
      ['when will they have decided?', 'how long do I have to wait for that?'],
      /still waiting for a colleague[^]*Monday to Friday/,
    )
  })

  test('[S-13] a colleague who has the conversation has hours, too', async () => {
    await after(
      'C-002',
      ['I want to return the tent', 'yes please get somebody'],
      ['and when will they answer me?', 'how long does that take'],
      /A colleague has your conversation[^]*Monday to Friday/,
    )
  })

  test('[S-13] the rule is the reason', async () => {
    await after(
      'C-008',
      DESK,
      ['why do you need approval for that?', "why can't you decide that yourself?"],
      /refund above 100 dollars has to be approved/,
    )
  })
})

describe('after the state of an order', () => {
  test('[S-13] money that has not come is told by its dates', async () => {
    await after(
      'C-010',
      ['was the watch refunded?'],
      ["I can't see it on my card though", 'hm, nothing there yet'],
      /was refunded \(\$179\.00\) on Oct 9[^]*until Oct 20/,
    )
    await after(
      'C-002',
      ['was the hoodie refunded?'],
      ['that was weeks ago, where is the money?'],
      /should have been there by Oct 1\. Shall I get a colleague/,
    )
  })

  test('[S-13] a doubt is answered by looking again, and nothing is sped up', async () => {
    await after(
      'C-007',
      ['has the puzzle been sent?'],
      ['really? are you certain?', 'are you sure it has left?'],
      /^Yes, I have just looked it up again\. Your order O-12366 is shipped/,
    )
    await after(
      'C-002',
      ['when do the shoes come'],
      ['is that a promise?', 'can you guarantee it?'],
      /^I can't promise more than what stands here\. Your order O-12348/,
    )
    await after(
      'C-002',
      ['when do the shoes come'],
      ['could I have them any sooner?', 'is there a faster way'],
      /no express delivery/,
    )
  })

  test('[S-13] who accepts it asks for nothing', async () => {
    await after(
      'C-002',
      ['when do the shoes come'],
      ['ok then I wait until Sunday', "fine, I'll have a look tomorrow", 'great, that is in time'],
      /^All right\. I'm here/,
    )
  })
})
