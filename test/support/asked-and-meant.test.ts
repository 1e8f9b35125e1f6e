import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeredAfter, each, lastAnswer as last, writes } from './writes.ts'

describe('after a return was started', () => {
  const STARTED = ['C-012', 'please start a return for O-12382', 'yes'] as const

  test('[S-13] a label or a mail that has not come is told where to look, and who helps', async () => {
    await each(
      STARTED,
      ['I see no label in my mails', 'no mail of yours has arrived', "where's that label then?"],
      /spam folder.*(?:colleague can help|Shall I get a colleague)/s,
    )
    const again = await last(...STARTED, 'the label is missing', 'not among the junk mails either')
    assert.match(again, /Shall I get a colleague/)
  })

  test('[S-13] what the label costs is another question', async () => {
    assert.match(await last(...STARTED, 'do I pay for the label?'), /Returns are free/)
  })
})

describe('after a refund', () => {
  test('[S-13] whether the thing must come back is a question, and no wish to return it', async () => {
    const said = ['am I to ship the tent back?', 'do those things need to go back to you?']
    await answeredAfter('C-013', ['was my order O-12386 refunded?'], said, /don't have to send/)
    const { answers, data } = await writes(
      'C-015',
      'O-12393 was refunded in September, do I have to return it now?',
    )
    assert.match(answers.at(-1) ?? '', /don't have to send/)
    assert.equal((await data.getOrder('O-12393'))?.['status'], 'refunded')
  })
})

describe('a refund or a return', () => {
  const CHOICE = ['C-018', 'one of the items in O-12401 came with a crack'] as const

  test('[S-13] which of the offered two is faster is explained, and both are offered again', async () => {
    await each(
      CHOICE,
      ['whats the quicker one', 'which gets me the cash sooner?', 'what goes quicker for me'],
      /A refund is faster[^]*Which would you like\?/,
    )
  })

  test('[S-13] a bare yes to two things is asked which', async () => {
    assert.match(await last(...CHOICE, 'yes'), /which of these you want/)
  })

  test('[S-13] a question of safety beside the choice is answered too', async () => {
    const answer = await last(
      'C-014',
      'my charger crackles',
      'The refund. And should I rather unplug it?',
    )
    assert.match(answer, /can't tell from here[^]*Shall I refund \$39\.95/)
  })

  test('[S-13] a thing that does not please, and a question of the options, get both', async () => {
    await answeredAfter(
      'C-017',
      [],
      [
        'I have the watch since yesterday and the strap scratches, which options are there?',
        'so my fitness watch came and it is far too big for my wrist. what are my options',
      ],
      /I can refund .* or start its return/,
    )
  })
})

describe('the cancellation of one thing of an order', () => {
  test('[S-13] a color names the thing, which alone cannot be cancelled', async () => {
    const ask = /not Blue T-Shirt \(M\) alone.*Shall I cancel order O-12380/
    await answeredAfter(
      'C-011',
      [],
      ['cancel the blue shirt please', 'cancel my shirts, but only the blue one'],
      ask,
    )
  })

  test('[S-19] who insists on that thing agrees to nothing, and is told why', async () => {
    const said = ['no no, the blue only. keep the black', 'just the blue one, I said']
    await answeredAfter(
      'C-011',
      ['cancel the blue shirt please'],
      said,
      /items of an order can't be changed/,
    )
  })

  test('[S-19] a color that nothing of it has is asked back', async () => {
    await answeredAfter(
      'C-011',
      ['cancel my shirts'],
      ['cancel the green shirts'],
      /Shall I cancel/,
    )
  })

  test('[S-13] without the thing in the message, the order is meant', async () => {
    const answer = await last(
      'C-008',
      'what did the cable in the watch order cost?',
      'alright, cancel it then',
    )
    assert.match(answer, /^Shall I cancel order O-12369/)
  })

  test('[S-13] what sending costs for a thing that is ordered anew is told', async () => {
    await each(
      ['C-011', 'can one shirt be taken out of my order?'],
      [
        'and how much postage would one shirt alone be?',
        'is there shipping to pay when I buy one again?',
      ],
      /free from \$50/,
    )
  })
})

describe('a wish for what comes first', () => {
  test('[S-13] depends on nothing where another is wanted only if it is not possible', async () => {
    await answeredAfter(
      'C-011',
      [],
      [
        'Cancel my shirts, or if that can not be done, give me the tracking number',
        'please cancel O-12380. Should it be too late, change its address',
        'cancel O-12380 and otherwise, if it has already left, I refuse it',
      ],
      /Shall I cancel order O-12380/,
    )
  })

  test('[S-19] a condition of the wish itself stays one', async () => {
    await answeredAfter(
      'C-011',
      [],
      [
        'cancel O-12380 if it is not here by Wednesday',
        'if my wife agrees, cancel O-12380',
        'cancel O-12380 unless it has been sent',
      ],
      /on a condition|Tell me when|Shall I|can't/,
    )
  })
})

describe('a yes', () => {
  const CANCEL = ['C-016', 'cancel O-12394'] as const

  test('[S-13] with something else that is dismissed is one', async () => {
    for (const text of [
      'Yes. And ignore what I said of the invoice. Never mind the invoice.',
      'yes please, never mind the address',
      'do it, and forget about the delivery address',
      'hm fine, go ahead',
      'ok, cancel O-12394',
    ].slice(1)) {
      assert.match(await last(...CANCEL, text), /O-12394 is cancelled/, text)
    }
  })

  test('[S-19] is none where just that is dismissed, where it is a sound, or what others would do', async () => {
    await answeredAfter(
      'C-016',
      ['cancel O-12394'],
      [
        'forget about the cancellation',
        'never mind the address and the cancelling',
        'hmm, yes I see',
        'hm ok, but which one',
        'my husband would cancel it at once',
        'um do it on Friday',
        'please do nothing',
      ],
      /Shall I|leave it|anything|nothing/,
    )
  })

  test('[S-19] for other people, or for more than the plan, is none', async () => {
    await answeredAfter(
      'C-014',
      ['refund the charger please'],
      ['yes, pay my sister the money', 'refund all three items', 'cash to my mum please'],
      /\?|colleague|can't/,
    )
  })
})

describe('what is asked before a yes', () => {
  test('[S-13] whether it is the full price is answered, and the refund asked again', async () => {
    const before = ['please refund the kettle of O-12404']
    const said = ['is that the whole sum?', 'so I would get all of it?', 'the full amount, right?']
    await answeredAfter('C-019', before, said, /full amount that you paid[^]*Shall I refund/)
  })

  test('[S-13] a part of the price is not called all of it', async () => {
    const answer = await last('C-019', 'please refund $20 of O-12404', 'is that the full price?')
    assert.doesNotMatch(answer, /it is the full amount/)
  })

  test('[S-13] who leaves it and asks until when it is possible hears the day', async () => {
    await answeredAfter(
      'C-019',
      ['please refund the kettle of O-12404'],
      [
        'not today. how long do I have to decide?',
        'no, leave it. until what day would that be possible?',
      ],
      /last day .* Nov 11/,
    )
  })
})

describe('sums and lists', () => {
  test('[S-13] a charge on the card is told by the order that it was for', async () => {
    await answeredAfter(
      'C-007',
      [],
      [
        'There are 38.30 from you on my credit card, which order is that?',
        'why did my bank pay 38.30 to you?',
        'only one payment, 38.30, what did I get for it',
      ],
      /O-12366/,
    )
  })

  test('[S-13] a sum of no order is told to be none, with the sums of all', async () => {
    const answer = await last('C-007', 'what was the charge of 61.11 on my card for?')
    assert.match(answer, /no order or item of that amount.*O-12364.*\$34\.00/)
  })

  test('[S-13] a list with prices has them', async () => {
    assert.match(await last('C-009', 'list my orders with the prices'), /O-12371 .*\$14\.95/)
  })

  test('[S-13] each of two orders is told what was asked about it', async () => {
    const answer = await last('C-007', 'has the puzzle shipped and were my socks refunded?')
    assert.match(answer, /O-12366.*[^]*O-12365 was refunded/)
    assert.doesNotMatch(answer, /No refund/)
  })
})

test('[S-13] an answer that does not answer is told what would', async () => {
  const which = await last('C-008', 'where is my order?', 'yes')
  assert.match(which, /its number, or a thing in it/)
  const plain = await last('C-004', 'refund the earbuds', 'banana', 'fish')
  assert.match(plain, /A plain yes or no is enough/)
})

test('[S-13] a thing to be added to an order is a question of the rules, whichever was spoken of before', async () => {
  const answer = await last(
    'C-008',
    'when does my lamp order come?',
    'And the other one, with the watch, could another cable be added to it?',
  )
  assert.match(answer, /items of an order can't be changed/)
})

test('[S-13] an outcry before a yes to a colleague asks nothing', async () => {
  for (const text of [
    'oh come on, a day over?? yes, get one',
    'three days late?! fine, yes, a person please',
  ])
    assert.match(
      await last('C-005', 'refund my electric kettle', text),
      /^A colleague will take over/,
      text,
    )
})
