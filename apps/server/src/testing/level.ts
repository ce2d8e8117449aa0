/**
 * Returns the number of random cases, histories or kills of a test: few in `npm test`, many in `npm run test:full`, which
 * sets `RIF_TESTS=full`.
 */
export const runs = ({ usual, full }: { usual: number; full: number }): number =>
  process.env.RIF_TESTS === 'full' ? full : usual
