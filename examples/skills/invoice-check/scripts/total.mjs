// Adds up amounts in cents, so that nothing is lost between decimals.
const cents = process.argv.slice(2).map((amount) => Math.round(Number(amount) * 100))
if (cents.length === 0 || cents.some(Number.isNaN)) {
  console.error('give amounts, such as 19.90 5')
  process.exit(1)
}
console.log((cents.reduce((sum, each) => sum + each, 0) / 100).toFixed(2))
