// Runs in the load's thread, so it is a module of its own; CommonJS because that is how autocannon loads it.
let connections = 0

/** Lets every connection begin with a caller of its own: in step, all would ask for the same member at the same moment. */
module.exports = (client) => {
  const { requests, connections: all } = client.opts
  const from = Math.floor((connections++ * requests.length) / all) % requests.length
  client.setRequests([...requests.slice(from), ...requests.slice(0, from)])
}
