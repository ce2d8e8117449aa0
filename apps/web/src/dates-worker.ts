/**
 * Creates the first date formatter of the browser's process, for which it reads the data of all languages: a tenth of a second on a
 * phone, in which the page itself would not respond (early.ts).
 */
new Intl.DateTimeFormat()
close()
