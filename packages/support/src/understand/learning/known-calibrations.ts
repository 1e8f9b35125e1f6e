/**
 * The calibrations of the classifiers of the intents that come along, by the key of their examples. A test keeps them
 * true; `npm run calibrate` makes them anew after the examples were changed.
 */
export const KNOWN_CALIBRATIONS: Readonly<Record<string, readonly number[]>> = {
  '177971.6706293392605745': [
    0.5065777634385384, 1.7590007007904158, 1.5274448079310985, -1.8934085917154133,
  ],
  '61375.7113150387292889': [
    0.016832638616805982, 2.349793791160202, 0.059283481242387776, -0.6386044852111408,
  ],
}
