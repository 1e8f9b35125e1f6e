/**
 * The calibrations of the classifiers of the intents that come along, by the key of their examples. A test keeps them
 * true; `npm run calibrate` makes them anew after the examples were changed.
 */
export const KNOWN_CALIBRATIONS: Readonly<Record<string, readonly number[]>> = {
  '177820.4643679616383955': [
    0.4785098720726383, 1.6636881548332174, 1.0432778708059574, -1.421624265876315,
  ],
  '61336.300470871158598': [
    0.23083009438094307, 2.08031572950237, 0.17955487501312523, -0.6837856008203623,
  ],
}
