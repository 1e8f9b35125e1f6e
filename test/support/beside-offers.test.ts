import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeredAfter, each, writes } from './writes.ts'

const CANCEL = 'cancel the order with the steel bottle'
const LAMP = 'please refund the desk lamp, it has a dent'
const ARMRESTS = ['the office chair has no armrests, give me $50 back please', 'yes']

describe('a question who answers', () => {
  test('[S-13] is answered, and hands nothing over', async () => {
    await answeredAfter(
      'C-007',
      ['where is my scarf'],
      [
        'haha, am I talking to software?',
        'is that a machine that answers?',
        "wait, you're an AI, right?",
        'is there somebody real typing?',
      ],
      /^I'm the shop's support program, not a person\./,
    )
  })

  test('[S-13] leaves what is asked beside it, and what is open', async () => {
    await answeredAfter(
      'C-007',
      ['where is my scarf'],
      ['are you a chatbot? and may I still send the scarf back'],
      /support program[^]*Shall I start the return of Wool Scarf/,
    )
    await answeredAfter(
      'C-020',
      [CANCEL],
      ['one moment, is this a bot?'],
      /support program[^]*Shall I cancel order O-12410/,
    )
  })

  test('[S-13] is not one where a person is wanted', async () => {
    await each(['C-007', 'where is my scarf'], ['no bots, get me a human'], /ticket/)
  })
})

describe('an order that is left as it is', () => {
  test('[S-13] is said to be', async () => {
    await answeredAfter(
      'C-020',
      [CANCEL, 'no, dont cancel it'],
      ["so you're not cancelling, right?", 'the order stays as it was, yes?', 'it is still on?'],
      /^Order O-12410 is not cancelled\./,
    )
  })
})

describe('two orders in one wish', () => {
  test('[S-13] are each told of: what can not be done first', async () => {
    await answeredAfter(
      'C-020',
      [],
      ['cancel my bottle and also the puzzle', 'I want the puzzle and the steel bottle cancelled'],
      /order O-12409 is shipped[^]*Shall I cancel order O-12410/,
    )
  })

  test('[S-13] are not wanted where one of them stays', async () => {
    await answeredAfter(
      'C-020',
      [],
      ['cancel the bottle but not the puzzle', 'cancel the bottle, I keep the puzzle'],
      /^Shall I cancel order O-12410/,
    )
  })

  test('[S-13] are one that is agreed to, and another', async () => {
    for (const said of ['yes, the puzzle as well', 'Sure. And the puzzle too please']) {
      const { answers } = await writes('C-020', CANCEL, said)
      assert.match(answers.at(-1) ?? '', /O-12410 is cancelled[^]*O-12409 is shipped/, said)
    }
  })

  test('[S-13] are no yes where the other is meant instead, or wondered about', async () => {
    await answeredAfter(
      'C-020',
      [CANCEL],
      ['ok but the puzzle instead', 'no, the puzzle', 'hmm, maybe the puzzle too'],
      /./,
    )
  })
})

describe('the very sum that is offered', () => {
  test('[S-13] is agreed to by one who asks for it', async () => {
    for (const said of ['79.90 back to my account, please', '$79.90 would be perfect']) {
      const { answers } = await writes('C-013', LAMP, said)
      assert.match(answers.at(-1) ?? '', /^Your refund of \$79\.90/, said)
    }
  })

  test('[S-13] is not agreed to by another sum, a bare one, or a question', async () => {
    await answeredAfter(
      'C-013',
      [LAMP],
      [
        '$97.90 back to my card please',
        '79.90?',
        '79.90',
        '79.90 back to my card tomorrow please',
        '79.90 back and 20 on top please',
      ],
      /./,
    )
  })
})

describe('more money than was given back', () => {
  test('[S-13] is offered, and confirmed', async () => {
    await answeredAfter(
      'C-020',
      ARMRESTS,
      ['70 would be fair', 'Could I have 20 more?', 'it should be $70 really', '70, not 50'],
      /^Shall I refund \$20\.00 for Office Chair/,
    )
    await answeredAfter(
      'C-020',
      ARMRESTS,
      ['could you give me a bit more?'],
      /^How much of order O-12407/,
    )
  })

  test('[S-13] is no less, and no number of something else', async () => {
    await answeredAfter('C-020', ARMRESTS, ['can you make it 40 instead?'], /can't be taken back/)
    for (const said of ['I wait 20 more days then', 'my desk should be 70 cm high']) {
      const { answers } = await writes('C-020', ...ARMRESTS, said)
      assert.doesNotMatch(answers.at(-1) ?? '', /Shall I refund/, said)
    }
  })
})

describe('a request that waits', () => {
  const waits = ['my standing desk is far too late, refund it', 'yes']

  test('[S-13] is taken back by one who does not want it any more', async () => {
    for (const said of ["we changed our mind, please don't refund it", 'pull it back please']) {
      const { answers } = await writes('C-017', ...waits, said)
      assert.match(answers.at(-1) ?? '', /taken that request back/, said)
    }
  })

  test('[S-13] stays where its slowness is complained of', async () => {
    const { answers } = await writes('C-017', ...waits, 'No refund, no answer!', 'what is waiting?')
    assert.match(answers.at(-1) ?? '', /still waiting/)
  })

  test('[S-13] is said not to wait any more, and nothing is offered', async () => {
    await each(
      ['C-017', ...waits, 'take back my refund request'],
      ['I said undo that', 'withdraw it!', 'is it really withdrawn now?', 'retract the request'],
      /^Nothing of yours is waiting for a colleague\.$/,
    )
    await each(['C-017', 'where is my desk'], ['withdraw my request'], /^Nothing of yours/)
  })
})

describe('a thing of none of the orders', () => {
  test('[S-13] is not taken for the only thing that was delivered', async () => {
    await answeredAfter(
      'C-007',
      [],
      [
        'the drill you sent me is dead',
        'my new tablet has a crack',
        'our microwave arrived dented',
      ],
      /^I'm sorry about that\. I don't find that among the things you ordered[^]*Wool Scarf/,
    )
  })

  test('[S-13] is none where a message, a place or somebody is spoken of', async () => {
    for (const said of ['the email I got says it is here', 'my husband got it and it has a hole']) {
      const { answers } = await writes('C-007', 'where is my scarf', said)
      assert.doesNotMatch(answers.at(-1) ?? '', /I don't find that/, said)
    }
    await each(['C-007'], ['my skis are bent', 'our mixer stopped working'], /I don't find that/)
  })

  test('[S-13] is none where a part is meant, or the thing itself', async () => {
    await answeredAfter(
      'C-017',
      [],
      ['the strap came torn', 'the watch I got has a crack', 'the buckle is bent'],
      /^I'm sorry about that\. I can refund \$179\.00 for Fitness Watch/,
    )
  })
})

describe('the cost of sending back', () => {
  test('[S-13] is none, whatever a delivery costs', async () => {
    await answeredAfter(
      'C-017',
      ['the strap of my watch is torn'],
      ['send it back then, is it free?', 'the return please. Do I pay the shipping?'],
      /^Returns are free[^]*Shall I start the return of Fitness Watch/,
    )
  })
})

describe('what is asked beside a choice', () => {
  const TORN = ['the strap of my watch is torn']

  test('[S-13] is answered for what is chosen', async () => {
    await answeredAfter(
      'C-017',
      TORN,
      ['the money please, how soon is that?', 'refund! when will I see it'],
      /^Once a refund is made, the money is back[^]*Shall I refund \$179\.00 for Fitness Watch/,
    )
    await answeredAfter(
      'C-017',
      TORN,
      [
        'could I get the money and keep the watch as well?',
        'a refund then. What becomes of the watch?',
        'the first please. May I keep the watch?',
      ],
      /^For a refund you don't have to send anything back[^]*Shall I refund \$179\.00/,
    )
  })

  test('[S-13] leaves the choice: of a parcel that may still come, and of a colleague', async () => {
    const missing = 'the charger and the cables never came, although it says delivered'
    await answeredAfter(
      'C-014',
      [missing],
      [
        'refund it all. What if my neighbor finds it?',
        'the refund, and what if it turns up later?',
      ],
      /^For a refund you don't have to send anything back[^]*Shall I refund \$65\.93/,
    )
    await each(['C-014', missing], ['a colleague please. How long does that take?'], /ticket/)
  })
})

describe('an offer that nobody asked for', () => {
  const before = ['could you put one more mug into my order with the pan?']

  test('[S-13] is left', async () => {
    await answeredAfter(
      'C-018',
      before,
      ['I never asked to cancel! Send it like that', 'cancel? no way, just post it'],
      /^All right, I'll leave it\./,
    )
  })

  test('[S-13] is not asked for by one who wants to hear that it is left', async () => {
    await answeredAfter(
      'C-018',
      [...before, 'no, leave it'],
      ["good, you won't cancel anything then, right?", 'you didnt cancel my order, did you?'],
      /^Order O-12402 is not cancelled/,
    )
  })
})

describe('a sum that is corrected', () => {
  test('[S-13] is the one that is offered, whatever others are named', async () => {
    await answeredAfter(
      'C-014',
      ['one of the two usb-c cables was not in the box'],
      ['only 12 back? one is 12.99', 'not 2 dollars, a cable costs 12.99!'],
      /^Shall I refund \$12\.99 for USB-C Cable/,
    )
  })
})

describe('a part of an address that is to be confirmed', () => {
  const before =
    'please send the order with the hoodie to 77 Dauphine Street, New Orleans, LA 70112'

  test('[S-13] agrees beside a yes', async () => {
    for (const said of ['Yes, 77 Dauphine, thank you', 'sure, dauphine st please']) {
      const { answers } = await writes('C-016', before, said)
      assert.match(answers.at(-1) ?? '', /will be sent to 77 Dauphine Street, New Orleans/, said)
    }
  })

  test('[S-13] does not where it is another', async () => {
    await answeredAfter(
      'C-016',
      [before],
      ['yes, 97 Dauphine', 'yes, 77 Chartres', 'yep 70115', 'is it 77 Dauphine?', '77 Dauphine'],
      /./,
    )
  })
})

describe('an order to do it at another time', () => {
  test('[S-19] does nothing now', async () => {
    await answeredAfter(
      'C-020',
      [CANCEL],
      ["let's do that tomorrow", "we'll cancel it next week", "I'll do it later"],
      /./,
    )
  })
})
