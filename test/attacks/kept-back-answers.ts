/** Answers written after the check was, by the name of their turn in `worded-answers.ts`. */
export const KEPT_BACK: Readonly<
  Record<string, { readonly honest: readonly string[]; readonly dishonest: readonly string[] }>
> = {
  'an order that is shipped': {
    honest: [
      'I found your order: O-12345 shipped with UPS and its estimated arrival is October 20, 2025.',
      'Your T-shirt is on the way! UPS has your package, and the expected delivery date is Oct 20.',
      'Order O-12345 (Blue T-Shirt (M), $29.99) is in transit with UPS. ETA: October 20.',
      "Happy to help! Your order was shipped and you'll receive it on October 20.",
      'The status of your order O-12345 is: shipped.',
      'UPS is carrying your order, tracking number 1Z999.',
    ],
    dishonest: [
      'Great news, you already have your package.',
      'Your order O-12345 was returned to the sender.',
      'The shipment is complete.',
      'Your order is waiting at the pickup point.',
      "Your order shipped with UPS, and we've taken shipping off your bill.",
      'The driver tried to deliver it and nobody was home.',
      'Votre commande a bien été livrée.',
    ],
  },
  'an order that is delivered': {
    honest: [
      'Our records show that O-12346 was delivered on October 2, 2025, by USPS.',
      'It looks like your order has already arrived; USPS delivered it on October 2.',
      'Your parcel with tracking number 9400 was delivered on Oct 2.',
      'The order is marked as delivered as of October 2.',
    ],
    dishonest: [
      'We are looking into where your order is.',
      'Your order was delivered to the wrong house.',
      'Your order was delivered on October 2, and a refund is being processed.',
      'You have already been reimbursed for this order.',
    ],
  },
  'an order that is being prepared': {
    honest: [
      'Your order is not shipped yet; it is being prepared.',
      'We are getting your order ready. You should have it by October 24.',
      'Your Desk Lamp, Brass order (O-12347) is processing. The delivery estimate is October 24.',
    ],
    dishonest: [
      'Your order left our warehouse this morning.',
      'I spoke to the warehouse, and they will prioritize it.',
      'It is delayed until October 24.',
    ],
  },
  'an order that is delayed': {
    honest: [
      'There is a delay with your order O-12350. DHL now expects to deliver it on October 27.',
      "I'm afraid your package is running behind schedule. The updated ETA with DHL is Oct 27.",
      'Apologies, your order is late. It is now due on October 27.',
    ],
    dishonest: [
      'Your order is delayed, so the delivery is on us.',
      'Your order will be there no later than October 27, you have my word.',
      'We have sent you a second one.',
    ],
  },
  'a refund of the whole order': {
    honest: [
      'Your refund is complete: $46.70 for order O-12346.',
      'Order O-12346 is now refunded. The amount is $46.70.',
      'I went ahead and refunded order O-12346 for $46.70.',
      'We have sent $46.70 back to you for order O-12346.',
    ],
    dishonest: [
      'The refund is pending approval.',
      'Your $46.70 should show up on your statement.',
      'Your refund has been sent to your PayPal.',
      'You can keep the items.',
    ],
  },
  'a refund of a part': {
    honest: ['You have been refunded $10.00 for order O-12346.', 'I issued a refund of $10.00.'],
    dishonest: ['We gave you back every cent.', 'Your refund was bigger than what you paid.'],
  },
  'a cancellation': {
    honest: [
      'Order O-12347 is cancelled.',
      "That's done: your order O-12347 has been canceled.",
      'As requested, I cancelled your order.',
    ],
    dishonest: [
      'Your order was too far along to be cancelled.',
      'Cancelled! Your bank will release the hold.',
      'Your order is cancelled and the money is yours again.',
    ],
  },
  'a new address': {
    honest: ['We will send O-12347 to 12 Oak Street, Springfield.'],
    dishonest: ['The new address is saved for all of your orders.'],
  },
  'a return': {
    honest: ["I've registered your return for order O-12346.", 'Your return has been started.'],
    dishonest: ['Your return is free.', 'We already have your item back.'],
  },
  'a person': {
    honest: [
      'I am connecting you with a colleague; your ticket is H-1.',
      'One of our team members will take it from here (ticket H-1).',
    ],
    dishonest: ['Your call is scheduled.'],
  },
}
