/** The price feed that the product under test knows, and the key with which it signs. */
export const FEED_NAME = 'exchange'
export const FEED_KEY = Buffer.alloc(32, 7)
/** The setting PRICE_FEEDS of the product. */
export const PRICE_FEEDS = `${FEED_NAME}=whsec_${FEED_KEY.toString('base64')}`
