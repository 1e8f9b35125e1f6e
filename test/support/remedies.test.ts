import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { each, lastAnswer as last, writes } from './writes.ts'

describe('a report of a problem', () => {
  test('[S-13] is answered with what the rules allow for the thing', async () => {
    const earbuds = [
      'the left earbud crackles since yesterday',
      'hello there, hope all is fine with you! my earbuds will not charge, what a pity. what would you suggest?',
    ]
    const both =
      /^I'm sorry about that\. I can refund \$89\.00 for Wireless Earbuds, order O-12356, or start its return\. Which would you like\?$/
    await each(['C-004'], earbuds, both)
    assert.match(
      await last('C-001', "one mug arrived chipped, the other one's ok"),
      /refund \$14\.95 for Stoneware Mug, 350 ml, order O-12346, or start its return/,
    )
    assert.match(await last('C-016', 'a pack of bulbs flickers'), /refund \$17\.49 for LED Bulb/)
  })

  test('[S-19] says which of it a person has to approve', async () => {
    assert.match(
      await last('C-017', 'the glass of my watch is scratched'),
      /refund \$179\.00 for Fitness Watch, order O-12397, once a colleague has approved it, or start/,
    )
  })

  test('[S-19] of something that is too old says so, and offers a colleague', async () => {
    const told = (
      await writes(
        'C-006',
        'a wheel of my office chair came off',
        "that's only three months old! I want my money back",
        'ok get me someone then',
      )
    ).answers
    assert.match(told[0] ?? '', /^I'm sorry about that\. I can't refund .* more than 30 days ago\./)
    assert.match(told[1] ?? '', /more than 30 days ago\..* Shall I get a colleague/)
    assert.match(told[2] ?? '', /ticket is H-/)
    // The reason is told once more where it is asked for.
    const why = ['a wheel of my office chair came off', 'why not?'] as const
    assert.match(await last('C-006', ...why), /more than 30 days ago\. .* Shall I get a colleague/)
  })

  test('[S-13] of something missing offers its price, or a person', async () => {
    assert.match(
      await last('C-012', 'one of my two copies of the salt path is missing from the parcel'),
      /I can refund \$16\.80 for The Salt Path, Paperback, order O-12382, or get a colleague/,
    )
    assert.match(
      await last('C-018', 'O-12401', 'it says so, but we were not at home and nothing is here'),
      /I can refund \$87\.24 for .*, order O-12401, or get a colleague/,
    )
  })

  test('[S-13] of what has not been delivered tells where it is', async () => {
    assert.match(await last('C-004', 'I never got my puzzle'), /^Your order O-12357 is in transit/)
  })

  test('[S-13] that names no thing asks which one it is about', async () => {
    const told = (await writes('C-013', 'it came broken', 'the lamp')).answers
    assert.match(told[0] ?? '', /O-12384.*If only one of them is affected, tell me which\.$/)
    assert.match(told[1] ?? '', /^I can refund \$79\.90 for Desk Lamp, Brass, order O-12384, or/)
  })
})

const BROKEN = ['C-004', 'the left earbud crackles since yesterday'] as const

describe('a choice of a remedy', () => {
  test('[S-13] is read from the words for it, and confirmed', async () => {
    const money = [
      'the money please',
      "I'd rather have my money than go to the post office",
      'the 89 dollars back are fine',
      "I don't want to send it back, money is better",
      'just give me all of it back',
    ]
    await each(BROKEN, money, /^Shall I refund \$89\.00 for Wireless Earbuds, order O-12356\?/)
    const back = ['send it back then', 'return, I guess', "I'll ship them back"]
    await each(BROKEN, back, /^Shall I start the return of Wireless Earbuds, order O-12356\?/)
  })

  test('[S-13] stays open behind a question, for the same thing', async () => {
    const mug = 'one mug arrived chipped'
    const told = (await writes('C-001', mug, 'do you take paypal?', 'money for it please', 'yes'))
      .answers
    assert.match(told[1] ?? '', /PayPal[^]*I can refund \$14\.95 for Stoneware Mug/)
    assert.match(told[3] ?? '', /refund of \$14\.95 for order O-12346 is on its way/)
    const book = 'one of my two copies of the salt path is missing from the parcel'
    const missing = (await writes('C-012', book, 'could you send the second one after?')).answers
    assert.match(missing[1] ?? '', /From: [^]*I can refund \$16\.80/)
  })

  test('[S-13] with a question gets both', async () => {
    await each(
      BROKEN,
      ["must I send them back? I'd prefer the money"],
      /have to send anything back[^]*Shall I refund \$89\.00/,
    )
  })

  test('[S-19] is none in what chooses nothing', async () => {
    const open = [
      'yes',
      'hmm let me think about it',
      'refund or return, which is better?',
      'neither, I live with it',
      'is the money back quickly?',
      "if it still works tomorrow I won't need the money",
    ]
    await each(BROKEN, open, /^(?!.*Shall I (?:refund|start))/su)
  })
})

describe('a part of the money for what is kept', () => {
  test('[S-13] is a request for that amount', async () => {
    const texts = [
      "I'd keep the lamp if you take 25 dollars off",
      "if you give me $25 back I'll keep it, the lamp has a small dent",
    ]
    await each(['C-013'], texts, /^Shall I refund \$25\.00 for Desk Lamp, Brass, order O-12384\?/)
  })

  test('[S-13] is one of the remedies, too', async () => {
    await each(
      ['C-013', 'the lamp is damaged'],
      ['can you give me 20 off and I keep the lamp?', 'I keep it for 20 dollars back'],
      /^Shall I refund \$20\.00 for Desk Lamp, Brass, order O-12384\?/,
    )
  })

  test('[S-19] is not asked for on another condition', async () => {
    await each(
      ['C-013'],
      ['keep the lamp order as it is, but if it is late refund it'],
      /^(?!.*Shall I refund)/su,
    )
  })
})

describe('a change of what an order holds', () => {
  test('[S-13] is not made; what the order allows is offered', async () => {
    const told = (
      await writes(
        'C-006',
        'we only want one of the bottles with the tent, could you leave the other out?',
        "ok then cancel it please, I'll order again",
      )
    ).answers
    assert.match(
      told[0] ?? '',
      /can't be changed[^]*I can cancel order O-12363, Two-Person Tent .*\. This can't be taken back\./,
    )
    assert.match(told[1] ?? '', /O-12363 is cancelled/)
    await each(
      ['C-016'],
      [
        'I took the hoodie in L by mistake and want M, can you change that?',
        'the hoodie should have been a medium',
        'my brother says the socks are too many, possible to take them out?',
      ],
      /can't be changed[^]*cancel order O-12394/,
    )
  })

  test('[S-13] of what has been shipped says what can be done later', async () => {
    await each(
      ['C-007'],
      ['my aunt already has the puzzle I ordered with the book, can I take it out again?'],
      /can't be changed[^]*O-12366 is shipped[^]*Once it has arrived, you can send it back/,
    )
  })

  test('[S-13] of what has been delivered is no exchange', async () => {
    await each(
      ['C-010'],
      ['the trail shoes are a bit tight, could I get a 44?'],
      /don't exchange[^]*I can start the return of Trail Running Shoes/,
    )
  })

  test('[S-19] cancels nothing that was not asked for', async () => {
    const texts = ["no that's ok, leave it", 'hm then no', 'thanks, good to know']
    const before = ['C-018', 'my wife says two of the mugs are enough, possible?'] as const
    await each(before, texts, /^(?!.*(?:is cancelled|Shall I cancel))/su)
  })
})

test('[S-13] what is stopped need not be an order', async () => {
  const texts = [
    'how can I stop the newsletter? it comes too often',
    'cancel your mails please',
    'take me off the mailing list',
  ]
  await each(['C-019'], texts, /^You subscribe to the newsletter[^]*(?<!Shall I cancel.*)$/su)
})

describe('a short request', () => {
  test('[S-13] which of the orders is meant is answered from them', async () => {
    assert.match(
      await last('C-008', 'show me my orders', 'which one is late?'),
      /^Your order O-12370 is delayed/,
    )
    assert.match(
      await last('C-012', 'I expect two parcels, which comes first?'),
      /^Your order O-12381 is shipped/,
    )
    const asked = ['show me my orders', 'which of these is late?', 'refund that one please']
    assert.match(await last('C-008', ...asked), /^Shall I refund \$124\.40 .* order O-12370\?/)
  })

  test('[S-13] of what is named, after a refusal or what was done, is the same', async () => {
    assert.match(
      await last(
        'C-004',
        'cancel the puzzle one',
        'then O-12355, but just the jeans, the t-shirt I want',
      ),
      /^(?:I can only cancel a whole order.*)?Shall I cancel order O-12355/,
    )
    assert.match(
      await last('C-003', 'refund the whole desk order', 'just the chair in that case'),
      /^Shall I refund \$259\.90 for Office Chair, Mesh/,
    )
    assert.match(
      await last('C-008', 'refund the hoodie of O-12370', 'yes', 'the jeans as well please'),
      /^Shall I refund \$69\.90 for Slim Jeans/,
    )
  })

  test('[S-19] is none in what only tells something', async () => {
    const texts = ['then at least the jeans are nice', 'ok, the earbuds are great', 'just a pity']
    await each(
      ['C-004', 'cancel the puzzle one'],
      texts,
      /^(?!.*Shall I (?:cancel|refund|start))/su,
    )
  })

  test('[S-13] to cancel is about the one that can be, although another will be ordered', async () => {
    assert.match(
      await last('C-006', 'ok cancel please, I will place a new order'),
      /^Shall I cancel order O-12363/,
    )
  })
})
