import { describe, test } from 'node:test'
import { answeredAfter as after } from './writes.ts'

describe('the order that a follow-up is about', () => {
  test('[S-13] is the one spoken of last, whatever money came back for another', async () => {
    await after(
      'C-002',
      ['where are my running shoes'],
      ['could I get my money back if they are lost?', 'if they never come, do I get my refund?'],
      /order O-12348 is neither delivered nor delayed/,
    )
    await after(
      'C-013',
      ['has the tent return arrived'],
      ['so when do I see my money', 'when will I have my refund?'],
      /^No refund has been made for order O-12385 yet/,
    )
  })

  test('[S-13] is the refunded one where money is asked for that the last one never gave back', async () => {
    await after(
      'C-002',
      ['where are my running shoes'],
      ['and where is my refund?'],
      /^Your order O-12350 was refunded/,
    )
  })

  test('[S-13] is that of the thing that is named', async () => {
    await after(
      'C-019',
      ['was my refund for the jeans made'],
      [
        'thanks. About the kettle: there is a scratch on it. Could I have 10 dollars for it?',
        'and my kettle has a scratch, can you give me 10 dollars for it?',
      ],
      /refund \$10\.00 for Electric Kettle, 1\.7 l, order O-12404/,
    )
    await after(
      'C-011',
      ['please cancel the blue t-shirt', 'yes'],
      [
        'and any news on the bedding?',
        'also, what is happening with the bedding set?',
        'and the status of the bedding?',
      ],
      /^Your order O-12379 is delayed/,
    )
  })

  test('[S-13] takes the same request, with its address', async () => {
    await after(
      'C-001',
      ['send the desk lamp to 12 Oak Lane, Portland, OR 97204', 'yes'],
      ['could you do that for the t-shirt too?', 'thanks. do the same for the t-shirt please'],
      /^I can't process that request: order O-12345 is shipped, and its address/,
    )
    await after(
      'C-004',
      ['cancel the jeans order', 'yes'],
      ['do the same for the puzzle'],
      /^I can't process that request: order O-12357 is in transit, and can only be cancelled/,
    )
  })

  test('[S-13] tells of money that was given back where it is missed', async () => {
    await after(
      'C-007',
      [],
      [
        'nobody ever paid me back for the socks',
        'I still have not seen the refund for the merino socks',
      ],
      /^Your order O-12365 was refunded/,
    )
    await after(
      'C-007',
      ['nobody ever paid me back for the socks'],
      ['what account did that refund go to?', 'which of my cards was it paid to?'],
      /means of payment with which the order was paid/,
    )
  })

  test('[S-13] may be one that was not found, of which nothing more is known', async () => {
    await after(
      'C-009',
      ['where is O-99999'],
      ['did I pay for that one?', 'so was I billed for that order?'],
      /couldn't find order O-99999/,
    )
    await after('C-009', ['where is O-99999'], ['what did I pay for the mug?'], /\$14\.95/)
  })
})

describe('what follows a refusal', () => {
  test('[S-13] objects in words of its own', async () => {
    await after(
      'C-006',
      ['I want my money back for the office chair'],
      [
        'a chair like that has to last longer than one summer, such poor workmanship',
        'thirty days is a joke for a chair at this price, really shoddy work',
      ],
      /can't go beyond our rules/,
    )
  })

  test('[S-13] declines, and may ask something else', async () => {
    await after(
      'C-006',
      ['I want my money back for the office chair'],
      ["no need, I'll fix it. I just wondered", 'no thanks, I was only hoping. It is fine'],
      /^All right/,
    )
    await after(
      'C-009',
      ['I want to return the 65 W charger'],
      [
        "No thanks. I'd like to leave some feedback on it then. How do I do that?",
        "never mind, I'll rate it then. Where do I do that?",
      ],
      /under "Reviews"/,
    )
    await after(
      'C-009',
      ['I want to return the 65 W charger'],
      ['No, that is ridiculous. Why not?'],
      /can't go beyond our rules/,
    )
  })

  test('[S-13] asks for advice', async () => {
    await after(
      'C-015',
      ['cancel the bedding please'],
      ['can I just refuse to take it in, or what would you advise?', 'do you have another idea?'],
      /^Order O-12392 is shipped, so I can't change anything/,
    )
  })
})

describe('questions of the rules', () => {
  test('[S-13] are of the label, of a day, of the time left, and of payment', async () => {
    const returned = ['send back the wool scarf please', 'yes']
    await after(
      'C-007',
      returned,
      ['how do I get the return label?', 'will you mail me the label?'],
      /label comes with the confirmation/,
    )
    await after(
      'C-018',
      ['where is the pan'],
      ['can you make sure it comes on a Friday?', 'could you have it delivered on the weekend?'],
      /set a day/,
    )
    await after('C-018', [], ['will the pan come on Monday?'], /^Your order O-12402/)
    await after(
      'C-016',
      ['where is my hoodie'],
      ['up to what point can I cancel the hoodie?', 'how late could I still call it off?'],
      /^An order can be cancelled until it has been shipped/,
    )
    await after(
      'C-020',
      ['cancel the steel bottle', 'yes'],
      ['if I buy it anew some day, could I pay by paypal?'],
      /You can pay by/,
    )
  })
})

describe('thanks in another language', () => {
  test('[S-13] are thanks, and before a confirmation no yes', async () => {
    await after('C-018', ['where is the pan'], ['merci beaucoup', 'mil gracias'], /^You're welcome/)
    await after(
      'C-018',
      ['send the pan to 5 Elm St, Tucson, AZ 85705'],
      ['muchas gracias', 'vielen dank'],
      /^You're welcome!\s+Shall I send order O-12402/,
    )
  })
})
