import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeredAfter, lastAnswer as last } from './writes.ts'

describe('the weekday of a day', () => {
  test('[S-13] is told by the calendar, for a day that is named or was spoken of', async () => {
    await answeredAfter(
      'C-012',
      ['where is my backpack?'],
      [
        'oct 20 would be a monday, correct?',
        'that date is a monday?',
        "the 20th, isn't it a monday? yes",
      ],
      /Oct 20 is a Monday\./,
    )
    await answeredAfter(
      'C-012',
      ['where is my backpack?'],
      ['is the 20th a sunday?', 'so that is a wednesday right'],
      /^No, Oct 20 is a Monday\.$/,
    )
    await answeredAfter(
      'C-012',
      ['where is my backpack?'],
      ['which day of the week is it?', 'what weekday is october 20th?'],
      /^Oct 20 is a Monday\.$/,
    )
  })

  test('[S-13] stands beside the answer to another question', async () => {
    const said = await last(
      'C-012',
      'where is my backpack?',
      'and is that a Monday? Also, what address does it go to?',
    )
    assert.match(
      said,
      /^Yes, Oct 20 is a Monday\.\n\nYour order O-12381 goes to 1020 Chestnut Hill/,
    )
  })

  test('[S-13] promises no arrival, and a day is none of a longer story', async () => {
    const comes = await last('C-012', 'where is my backpack?', 'so it arrives on monday, right?')
    assert.equal(comes, 'The day expected is Oct 20, a Monday.')
    const story = await last(
      'C-012',
      'where is my backpack?',
      'can it be brought on the 22nd, a wednesday, since we are away on monday?',
    )
    assert.doesNotMatch(story, / is a (?:Mon|Wednes)day\./)
  })

  test('[S-13] agrees with the last day of a return, or not', async () => {
    const before = ['how long do I have to return the watch?']
    await answeredAfter(
      'C-017',
      before,
      ['so until the middle of november?', 'nov 16 then, right?', "that's mid-November, isn't it"],
      /^Yes, Nov 16, a Sunday\.$/,
    )
    await answeredAfter(
      'C-017',
      before,
      ['so until early november?', 'the 20th of november, correct?'],
      /^No, Nov 16, a Sunday\.$/,
    )
    const outcry = await last('C-017', ...before, 'Nov 16?! What a short time.')
    assert.doesNotMatch(outcry, /^(?:Yes|No)\b/)
    // The day of delivery is another one of the answer.
    const delivered = await last('C-017', ...before, 'oct 17, right?')
    assert.doesNotMatch(delivered, /^(?:Yes|No)\b/)
  })

  test('[S-19] neither agrees to what is open nor answers for the customer', async () => {
    const said = await last('C-004', 'refund my earbuds', 'is the 20th a monday?')
    assert.doesNotMatch(said, /is on its way/)
  })
})

test('[S-13] until when an own order can go back is a day of its own', async () => {
  await answeredAfter(
    'C-017',
    ['does my watch come in other colors?'],
    [
      'if nothing else fits, until when may it go back?',
      'and by when would I have to send it back',
    ],
    /^Order O-12397 \(Fitness Watch\) was delivered on Oct 17\. The last day .* is Nov 16/,
  )
  assert.match(
    await last('C-017', 'until when can things be sent back in general?'),
    /From: Returns/,
  )
})

test('[S-13] when the 30 days begin is told by the rules', async () => {
  await answeredAfter(
    'C-005',
    ['where is the backpack'],
    [
      'does the clock for a return tick while the parcel is at the pick-up point?',
      'do the thirty days run from the order date?',
      "I'll fetch it only next week, does that cost me return time?",
    ],
    /^The 30 days begin on the day of delivery/,
  )
})

test('[S-13] a sum without one of the things is told', async () => {
  await answeredAfter(
    'C-013',
    ['how much did I pay for the chair and the lamp?'],
    [
      'and without the lamp?',
      'what is that minus the lamp',
      'not counting the lamp, how much was it?',
    ],
    /Without Desk Lamp, Brass, which cost \$79\.90, that is \$259\.90$/,
  )
  // What is left out is not the thing that is meant.
  assert.match(
    await last(
      'C-013',
      'how much did I pay for the chair and the lamp?',
      'so if we leave out the lamp?',
    ),
    /\$259\.90 of it for Office Chair, Mesh$/,
  )
})

describe('a question with "whether", or "if"', () => {
  test('[S-13] is no condition', async () => {
    await answeredAfter(
      'C-013',
      [],
      [
        "I'm writing to ask whether my tent got to you, and if I'll see the refund soon",
        'could you find out if you have my tent again and whether it was refunded?',
      ],
      /order O-12385/,
    )
    const said = await last(
      'C-001',
      'do you know whether the t-shirt is on its way, and if it comes on time?',
    )
    assert.match(said, /O-12345/)
  })

  test('[S-19] is one where something would be done', async () => {
    for (const text of [
      'cancel the lamp if it is late',
      'check whether it is sent, and if not cancel the lamp',
    ]) {
      assert.doesNotMatch(await last('C-001', text), /was cancelled|has been cancelled/)
    }
    assert.match(
      await last('C-001', 'cancel the lamp order if it does not ship today'),
      /condition/,
    )
  })
})

describe('an answer to two questions', () => {
  test('[S-13] gives each its own order', async () => {
    await answeredAfter(
      'C-004',
      [],
      [
        'please show me the invoice of the earbuds, and what happens if nobody is in when the puzzle comes?',
        'I need the earbuds receipt and also: can a neighbor take the puzzle in?',
      ],
      /^Invoice of order O-12356 [^\n]*\n\nThat is up to the carrier: .*Your order O-12357 /,
    )
  })

  test('[S-13] has no yes that answers the other', async () => {
    const said = await last(
      'C-011',
      'where is my bedding?',
      'Did they forget the unit on the label? And will it truly arrive on the 24th?',
    )
    assert.match(said, /What is printed on the label .* I can't see/)
    assert.match(said, /I can't promise more than what stands here/)
    assert.doesNotMatch(said, /^Yes|\nYes/)
  })
})

describe('a return that would be', () => {
  test('[S-13] is not offered to who asks how it goes', async () => {
    await answeredAfter(
      'C-008',
      [],
      [
        'if I gave the desk back, would somebody come and get it?',
        'say I return the standing desk, who takes it away?',
        'supposing I sent the desk back, how would it get to you?',
      ],
      /^You send it yourself, with the label[^]*\(From: Returns: Who picks up a return\?\)$/,
    )
  })

  test('[S-13] is offered to who asks whether it is possible', async () => {
    assert.match(
      await last('C-008', 'if I wanted to return the desk, could I?'),
      /start the return/,
    )
  })
})

test('[S-13] the refund of what was sent back is asked for, and that is said', async () => {
  await answeredAfter(
    'C-013',
    ['did my tent get back to you?'],
    ['and do I have to do something to be paid?', 'is the money automatic or must I request it?'],
    /does not come by itself[^]*Shall I refund \$199\.00/,
  )
})

test('[S-13] an order under way cannot follow another to its new place', async () => {
  await answeredAfter(
    'C-006',
    ['send the tent order to 88 Pecan Hollow, Austin, TX 78704', 'yes'],
    [
      'could the pan go to the same address? it has left already',
      'is it possible to have the pan delivered there as well?',
    ],
    /^No: order O-12361 is in transit, and its address can only be changed before it is shipped/,
  )
})

test('[S-13] what is to be told is told, whatever is declined before it', async () => {
  await answeredAfter(
    'C-002',
    ['when do the shoes come?', 'can you make the driver sing?'],
    [
      "nope. give me the tracking code, I'll check it myself",
      'no, just the tracking number, i can manage on my own',
    ],
    /^The tracking number of order O-12348 is 084042484202/,
  )
  assert.equal(
    await last(
      'C-002',
      'when do the shoes come?',
      'can you make the driver sing?',
      "no, I'll manage on my own",
    ),
    "All right, I'll leave it.",
  )
})

test('[S-13] where a parcel is shows its tracking number, and days of delivery its carrier', async () => {
  await answeredAfter(
    'C-007',
    ['when does the puzzle come?'],
    ['is there a way to see where exactly it is?', 'can I follow where it is somehow?'],
    /9400200800486404284404/,
  )
  await answeredAfter(
    'C-002',
    ['when do the shoes come?'],
    ['that is a sunday, do they work then?', 'is anything brought on sundays?'],
    /^At what hour the driver comes, and whether the carrier delivers on weekends.* 084042484202$/,
  )
})

test('[S-13] only what is expected is headed somewhere', async () => {
  assert.match(
    await last(
      'C-019',
      'Is it right that my wool things are headed to Anchorage? I am in Homer now.',
    ),
    /^Your order O-12403 [^\n]*$/,
  )
})
