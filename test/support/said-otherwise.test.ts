import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeredAfter, lastAnswer, writes } from './writes.ts'

describe('a customer who was not understood', () => {
  test('[S-13] says what is meant, which is read as a message about the same order', async () => {
    await answeredAfter(
      'C-001',
      ['is gift wrap noted for the lamp?'],
      ['I meant when does it ship?', 'that was not my question. when will it be here?'],
      /^Your order O-12347 is being prepared, ETA Oct 24/,
    )
    await answeredAfter(
      'C-015',
      ['my yoga mat is falling apart'],
      ["I didn't want any money. I asked whether the steel bottle could be sent back"],
      /more than 30 days ago/,
    )
    await answeredAfter(
      'C-003',
      ['where are my desk and chair?'],
      ["I'm not asking to cancel anything. Do I get some compensation for the wait?"],
      /I have no vouchers or other compensation/,
    )
  })

  test('[S-19] neither confirms nor gives up what is open by it', async () => {
    const { answers, data } = await writes(
      'C-018',
      'I want to send the backpack back',
      'no, I mean until which day can I return it?',
    )
    assert.match(answers[1] ?? '', /Oct 29/)
    assert.equal((await data.getOrder('O-12401'))?.['status'], 'delivered')
  })

  test('[S-13] names another order as before', async () => {
    assert.match(
      await lastAnswer('C-012', 'where is the backpack?', 'I mean O-12383'),
      /^Your order O-12383/,
    )
  })

  test('[S-13] hears no paragraph twice in a row', async () => {
    const texts = ['do you deliver to Norway?', 'and to Norway, do you deliver there?'] as const
    const { answers } = await writes('C-019', ...texts)
    assert.notEqual(answers[0], answers[1])
    assert.match(answers[1] ?? '', /Shall I get a colleague/)
  })
})

describe('a refusal', () => {
  test('[S-13] is told in other words where the same is asked for again', async () => {
    const { answers } = await writes(
      'C-006',
      'please return my office chair',
      'I want to return the office chair',
    )
    assert.match(answers[0] ?? '', /^I can't process that request/)
    assert.match(answers[1] ?? '', /^I'm sorry: .* Shall I get a colleague/)
  })

  test('[S-13] of what was given back is its state', async () => {
    await answeredAfter(
      'C-010',
      [],
      ['somebody told me the watch was refunded, but no money came', 'the refunded watch'],
      /^Your order O-12376 was refunded/,
    )
  })
})

describe('a wish in plain words', () => {
  test('[S-13] is not taken for a no, a condition or a remark', async () => {
    await answeredAfter(
      'C-019',
      [],
      [
        'Refund the kettle please. It buzzes whenever I plug it in.',
        "Just refund the kettle and all's well.",
      ],
      /^Shall I refund \$48\.75 for Electric Kettle/,
    )
    await answeredAfter(
      'C-016',
      [],
      ["Don't bother to ship O-12394", 'I changed my mind about O-12394. Do not send it.'],
      /^Shall I cancel order O-12394/,
    )
    await answeredAfter(
      'C-011',
      [],
      ['The t-shirts need to go to 12 Magazine Street, New Orleans, LA 70130 rather than home.'],
      /^Shall I send order O-12380/,
    )
    await answeredAfter(
      'C-016',
      [],
      ['I placed an order today and it was silly of me, can you undo the order?'],
      /Shall I cancel order O-12394/,
    )
  })

  test('[S-19] is none on a condition, however it is said', async () => {
    await answeredAfter(
      'C-019',
      [],
      [
        'Refund the kettle if it buzzes again',
        'Refund the kettle as soon as my wife agrees',
        'I live with it. But refund the kettle once it stops working',
      ],
      /^(?!.*(?:is on its way|has been refunded))(?!.*Shall I refund)/su,
    )
  })
})

describe('before a confirmation', () => {
  test('[S-13] another thing is asked for in a word', async () => {
    await answeredAfter(
      'C-001',
      ['return the paperback please'],
      ['actually refund', 'hm, actually a refund please'],
      /^Shall I refund \$16\.80 for The Salt Path/,
    )
    await answeredAfter(
      'C-001',
      ['return the paperback please'],
      ['actually when was it refunded?', "actually I don't want a refund"],
      /^(?!Shall I refund)/u,
    )
  })
})

describe('two things in one message', () => {
  test('[S-13] are both answered, one after the other', async () => {
    await answeredAfter(
      'C-003',
      [],
      ['Please cancel the desk and chair. Or can I at least have the money for the chair?'],
      /can only be cancelled before[^]*Shall I refund \$259\.90 for Office Chair/,
    )
    await answeredAfter(
      'C-005',
      ['one of the mugs from the kettle order has a crack'],
      ['oh well, never mind. but which day did it arrive?'],
      /^Your order O-12358 was delivered via FedEx on Sep 18/,
    )
  })
})

describe('what goes back', () => {
  test('[S-13] already is not started again', async () => {
    const answer = await lastAnswer('C-013', 'I want to send the tent back')
    assert.match(answer, /a return of order O-12385 is under way already/)
  })

  test('[S-13] by the carrier is no return that the customer asks for', async () => {
    await answeredAfter(
      'C-007',
      ['where is my book?'],
      ['if the parcel is returned to sender, do I get my money?'],
      /^I can't answer/,
    )
  })
})

test('[S-13] an address of their own is found by its place among them', async () => {
  await answeredAfter(
    'C-001',
    [],
    ['use my second address for the lamp', 'the lamp should go to my other address'],
    /^Shall I send order O-12347, .*, to 900 SW Fifth Avenue/,
  )
})

describe('a person', () => {
  test('[S-13] does not come on a condition', async () => {
    await answeredAfter(
      'C-015',
      ['where is the bedding?'],
      ["If it isn't here by Friday, could somebody look into it?"],
      /write here again/,
    )
  })

  test('[S-13] does not call, and is offered', async () => {
    const { answers } = await writes('C-014', 'could someone call me please?', 'yes please')
    assert.match(answers[0] ?? '', /I know of no phone number[^]*shall I get a colleague now\?/)
    assert.match(answers[1] ?? '', /^A colleague will take over/)
  })

  test('[S-13] who has the conversation leaves plain questions to the agent', async () => {
    const before = ['get me a person'] as const
    await answeredAfter(
      'C-014',
      before,
      ['which size were the jeans that I ordered?', 'where are my jeans now?'],
      /reads this too\. Meanwhile:\n\n(?:Order|Your order) O-12389/,
    )
    // What would be done is asked first, as ever.
    await answeredAfter(
      'C-014',
      before,
      ['refund the jeans', 'can you refund the cables?'],
      /reads this too\. Meanwhile:\n\n(?:I can't process that request|Shall I refund \$25\.98)/,
    )
    // What is for the person waits for the person.
    await answeredAfter(
      'C-014',
      before,
      ['how long does that take?'],
      /^A colleague has your conversation and reads this too\. They will answer you here\./,
    )
  })

  test('[S-13] is offered for the contents of a parcel that is on its way as far as one sees', async () => {
    await answeredAfter(
      'C-007',
      [],
      [
        'my parcel is here but the puzzle is not in the box',
        'I opened it, the book is the wrong one',
      ],
      /^I see order O-12366 as shipped.* Shall I get a colleague/,
    )
  })
})

test('[S-13] "the one that comes later" is found by its day', async () => {
  const before = ['C-012', 'which of my parcels comes first?'] as const
  const later = await lastAnswer(...before, 'what is in the one that comes later?')
  assert.match(later, /^Order O-12383 holds Wool Scarf/)
  const first = await lastAnswer(...before, 'what is in the parcel that arrives first?')
  assert.match(first, /^Order O-12381 holds Canvas Backpack/)
})

test('[S-13] two things that are wanted are both given', async () => {
  const answer = await lastAnswer('C-008', 'I need the invoices for the watch and for the desk')
  assert.match(answer, /Invoice of order O-12369[^]*Invoice of order O-12367/)
})

test('[S-13] an order that should wait is neither cancelled nor put on a condition', async () => {
  await answeredAfter(
    'C-018',
    [],
    ["please don't send the pan before Friday", 'do not ship the pan order until the 30th'],
    /I can't hold it back or set a day/,
  )
})

test('[S-13] a started return that is not wanted any more brings neither a refund nor a colleague', async () => {
  await answeredAfter(
    'C-013',
    [],
    ['undo the return of my tent please', 'please cancel the return, we are keeping the tent'],
    /^I can't stop a return once it is started[^]*don't send it\. \(From: [^)]*\)$/,
  )
  await answeredAfter(
    'C-013',
    ['can I cancel the return of the tent?'],
    ['and if I just never post it?', 'so what happens if we simply do not send it'],
    /you keep the thing, no money is given back/,
  )
})

test('[S-13] a customer who goes on in English gets an answer, and no colleague', async () => {
  await answeredAfter(
    'C-002',
    ['Hola, ¿dónde está mi pedido?'],
    [
      'sorry, english then: where are my running shoes',
      'oh ok english. Where are the running shoes?',
    ],
    /^Your order O-12348 is in transit/,
  )
})

test('[S-13] what was asked as a possibility is started after another question, and confirmed first', async () => {
  const before = ['C-014', 'what would happen if I returned the charger order?'] as const
  for (const then of ['would I have to pay for that?', 'does the return cost anything?']) {
    const answer = await lastAnswer(...before, then, 'alright, actually do it')
    assert.match(answer, /^Shall I start the return of 65 W Charger/, then)
  }
})

test('[S-13] how a refund and a return differ is told while one of them is open', async () => {
  await answeredAfter(
    'C-007',
    ['please refund my scarf'],
    ['wait, or should I return it instead?', 'hm what is the difference', 'which is faster?'],
    /^Both are possible[^]*Shall I refund \$34\.00 for Wool Scarf/,
  )
})

test('[S-13] an address that was changed is changed back after a yes', async () => {
  const before = [
    'C-006',
    'send the tent order to 45 Elm Creek Road, San Antonio, TX 78230',
    'yes',
  ] as const
  for (const text of [
    'can you switch back? He moves out',
    'please change it back. It was a mistake',
  ]) {
    assert.match(await lastAnswer(...before, text), /^Shall I send .* to 6120 Mission Road/, text)
  }
})

test('[S-13] what will be possible once it is here is possible for a part of it', async () => {
  await answeredAfter(
    'C-002',
    ['can I return O-12348 when it has arrived?'],
    ['and only the socks?', 'just the shoes, would that be ok too?'],
    /^Yes: single items of an order can be sent back/,
  )
})

test('[S-13] an order that may be late brings what can be done then', async () => {
  await answeredAfter(
    'C-015',
    ['when will my scarf be here?'],
    ["and if it doesn't come by then?", 'what if it is late?', "ok but if it isn't here?"],
    /^The expected day is not guaranteed\./,
  )
})

test('[S-13] the price of one of several equal pieces is told', async () => {
  const answer = await lastAnswer('C-007', 'what did one pack of the socks cost?')
  assert.match(answer, /\$27\.00 each/)
})

test('[S-19] a no, even with a wish to think about it, leaves the request', async () => {
  await answeredAfter(
    'C-007',
    ['please refund my scarf'],
    ['no, let me sleep on it', "nope, I'll think about it first"],
    /^All right, I'll leave it\.$/,
  )
})

test('[S-13] an offered colleague comes when the customer asks for one after a no', async () => {
  await answeredAfter(
    'C-003',
    ['refund O-12351'],
    ["No. I'd rather speak to a colleague.", 'Hm no. Please get me a person then.'],
    /^A colleague will take over/,
  )
})

test('[S-13] a part of an open request becomes the whole order', async () => {
  await answeredAfter(
    'C-014',
    ['I want to return only the charger of O-12388'],
    ['no, the whole order please', 'actually all of it', 'sorry, the entire order'],
    /^Shall I start the return of 65 W Charger and 2 × USB-C Cable/,
  )
})

test('[S-13] when it would come if nothing is done is the expected day', async () => {
  await answeredAfter(
    'C-001',
    ['what would happen if I cancelled the lamp order?'],
    ['and when would it come if I keep it?', "when would it be here if I don't cancel it"],
    /being prepared, ETA Oct 24$/,
  )
})

test("[S-13] a carrier's name means the order that was spoken of, where that carrier has it", async () => {
  await answeredAfter(
    'C-014',
    ['are the jeans coming soon?'],
    ["what's the FedEx number?", 'and the fedex tracking number'],
    /^The tracking number of order O-12389 is 866682802260/,
  )
})

test('[S-13] where money goes, and what comes before it, has sections of its own', async () => {
  await answeredAfter(
    'C-015',
    ['was the dented lamp refunded?'],
    ['to which card did it go?', 'which of my cards was it paid to?'],
    /^Money goes back to the means of payment with which the order was paid/,
  )
  await answeredAfter(
    'C-016',
    ['until when can I return my bulbs?'],
    [
      'and if I send them back, when do I see the money?',
      'when I return them, when is my money there',
    ],
    /The money does not come by itself/,
  )
})

test('[S-13] what is given back for a cancellation is told before it is confirmed', async () => {
  await answeredAfter(
    'C-006',
    ['cancel the tent order'],
    ['how much do I get back?', 'how much would come back to me?'],
    /what you paid is given back[^]*Shall I cancel order O-12363/,
  )
})
