import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foreignLanguage, inLanguage } from './other-languages.ts'

test('other languages are recognized, and answered in themselves', () => {
  const rows = {
    de: 'Ich möchte bitte mein Geld zurück',
    fr: 'Bonjour, je voudrais annuler ma commande',
    es: 'Hola, quiero cancelar mi pedido',
    pt: 'Olá, quero cancelar a minha encomenda',
    it: 'Ciao, vorrei annullare il mio ordine',
    zh: '我的订单在哪里？',
    ru: 'Где мой заказ?',
    ja: '注文をキャンセルしたいです',
    ar: 'أين طلبي؟',
    hi: 'मेरा ऑर्डर कहाँ है?',
  }
  const sentences = new Set<string>()
  for (const [language, text] of Object.entries(rows)) {
    assert.equal(foreignLanguage(text), language, text)
    assert.match(inLanguage(language), /person/)
    sentences.add(inLanguage(language))
  }
  assert.equal(sentences.size, Object.keys(rows).length)
  assert.equal(foreignLanguage('Guten Tag!'), 'de')
  assert.equal(foreignLanguage('Bonjour'), 'fr')
  assert.match(inLanguage('tlh'), /only read English/)
  for (const text of [
    'hvor er bestillingen min nå',
    'ik wil mijn geld terug',
    'wanneer is mijn pakje er',
  ])
    assert.notEqual(foreignLanguage(text), null, text)
})

test('English is English, however it is typed, and so are names and addresses', () => {
  for (const text of [
    'where is my order',
    'pls cancl my lamp oder asap',
    'Hauptstraße 5, 10115 Berlin',
    '12 Rue de Rivoli, Paris',
    'send it to Calle Mayor 5, Madrid',
    'asdkjh qwe zxc',
    'so is ma lamp cumin',
    'wher is mi pakage',
    'have u got da mug',
    'O-12345',
    'no',
    'The Salt Path arrived damaged',
    '',
  ]) {
    assert.equal(foreignLanguage(text), null, text)
  }
})
