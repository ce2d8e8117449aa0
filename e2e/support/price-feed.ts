/** The price feed that the product under test knows, and the key with which it signs. */
export const FEED_NAME = 'exchange'
export const FEED_KEY = Buffer.alloc(32, 7)
/** The feed in the setting PRICES of the product. */
export const PRICE_FEED = { name: FEED_NAME, secret: `whsec_${FEED_KEY.toString('base64')}` }
