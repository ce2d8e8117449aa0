/** The worked example of the rules and some edge cases, as a scenario with one JSON object per line. */
export const scenario = `{"type": "price", "at": "2026-01-30T00:00:00Z", "asset": "AMC", "usdt": "0.5"}
{"type": "join", "at": "2026-01-30T08:00:00Z", "member": "R", "sponsor": null, "side": "auto"}
{"type": "join", "at": "2026-01-30T08:00:01Z", "member": "A", "sponsor": "R", "side": "left"}
{"type": "join", "at": "2026-01-30T08:00:02Z", "member": "B", "sponsor": "R", "side": "right"}
{"type": "join", "at": "2026-01-30T08:00:03Z", "member": "C", "sponsor": "A", "side": "auto"}
{"type": "order", "at": "2026-01-30T09:00:00Z", "member": "R", "package": "Launch 10000", "hash_power": false}
{"type": "order", "at": "2026-01-30T09:00:00.001Z", "member": "A", "package": "Launch 1000", "hash_power": false}
{"type": "order", "at": "2026-01-30T09:00:00.002Z", "member": "B", "package": "Launch 500", "hash_power": false}
{"type": "order", "at": "2026-01-30T23:59:59.999Z", "member": "C", "package": "Launch 100", "hash_power": false}
{"type": "close_day", "at": "2026-01-31T00:00:00Z", "day": "2026-01-30"}
{"type": "attest", "at": "2026-01-31T00:00:00Z", "pool": "yield_pool", "asset": "USDT", "amount": "56.05"}
{"type": "order", "at": "2026-01-31T01:00:00Z", "member": "B", "package": "Launch 100", "hash_power": true}
{"type": "price", "at": "2026-01-31T01:00:00Z", "asset": "RIF", "usdt": "2.5"}
{"type": "grant", "at": "2026-01-31T01:00:01Z", "member": "B", "asset": "RIF", "amount": "0.000001"}
{"type": "order", "at": "2026-01-31T01:00:02Z", "member": "B", "package": "Launch 100", "hash_power": true}
{"type": "grant", "at": "2026-01-31T01:00:03Z", "member": "B", "asset": "RIF", "amount": "3.333333"}
{"type": "order", "at": "2026-01-31T01:00:04Z", "member": "B", "package": "Launch 100", "hash_power": true}
{"type": "join", "at": "2026-01-31T02:00:00Z", "member": "E", "sponsor": "C", "side": "auto"}
{"type": "join", "at": "2026-01-31T02:00:01Z", "member": "F", "sponsor": "E", "side": "auto"}
{"type": "join", "at": "2026-01-31T02:00:02Z", "member": "G", "sponsor": "F", "side": "left"}
{"type": "join", "at": "2026-01-31T02:00:03Z", "member": "H", "sponsor": "F", "side": "right"}
{"type": "order", "at": "2026-01-31T03:00:00Z", "member": "F", "package": "Launch 500", "hash_power": false}
{"type": "order", "at": "2026-01-31T03:00:01Z", "member": "G", "package": "Launch 5000", "hash_power": false}
{"type": "order", "at": "2026-01-31T03:00:02Z", "member": "H", "package": "Launch 1000", "hash_power": false}
{"type": "management", "at": "2026-01-31T23:00:00Z", "member": "C", "action": "pause"}
{"type": "management", "at": "2026-01-31T23:00:01Z", "member": "C", "action": "pause"}
{"type": "management", "at": "2026-01-31T23:00:02Z", "member": "E", "action": "pause"}
{"type": "price", "at": "2026-02-01T00:00:00Z", "asset": "AMC", "usdt": "0.61"}
{"type": "order", "at": "2026-02-01T00:00:01Z", "member": "E", "package": "Launch 100", "hash_power": false}
{"type": "order", "at": "2026-02-01T00:00:02Z", "member": "F", "package": "Launch 10000", "hash_power": false}
{"type": "management", "at": "2026-02-01T00:00:03Z", "member": "C", "action": "resume"}
{"type": "attest", "at": "2026-02-01T00:00:04Z", "pool": "yield_pool", "asset": "AMC", "amount": "1000"}
{"type": "close_day", "at": "2026-02-01T00:00:05Z", "day": "2026-01-30"}
{"type": "close_day", "at": "2026-02-01T00:00:05Z", "day": "2026-01-31"}
{"type": "close_day", "at": "2026-02-02T00:00:00Z", "day": "2026-02-02"}
{"type": "close_day", "at": "2026-02-03T00:00:00Z", "day": "2026-02-02"}
{"type": "close_day", "at": "2026-02-03T00:00:00Z", "day": "2026-02-01"}
{"type": "close_day", "at": "2026-02-03T00:00:00Z", "day": "2026-02-02"}
`

/** The results of the scenario. */
export const outcome = `{"type": "reward", "day": "2026-01-30", "kind": "ReferralReward", "member": "R", "source": "A", "base": "1000.000000", "ratio_ppm": 100000, "value": "100.000000", "coverage_ppm": 1000000, "usdt": "70.000000", "amc": "60.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-30", "kind": "TeamReward", "member": "R", "source": "A", "base": "1000.000000", "ratio_ppm": 100000, "value": "100.000000", "coverage_ppm": 1000000, "usdt": "70.000000", "amc": "60.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-30", "kind": "ReferralReward", "member": "R", "source": "B", "base": "500.000000", "ratio_ppm": 100000, "value": "50.000000", "coverage_ppm": 1000000, "usdt": "35.000000", "amc": "30.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-30", "kind": "TeamReward", "member": "R", "source": "B", "base": "500.000000", "ratio_ppm": 100000, "value": "50.000000", "coverage_ppm": 1000000, "usdt": "35.000000", "amc": "30.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-30", "kind": "ReferralReward", "member": "A", "source": "C", "base": "100.000000", "ratio_ppm": 80000, "value": "8.000000", "coverage_ppm": 1000000, "usdt": "5.600000", "amc": "4.800000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-30", "kind": "TeamReward", "member": "A", "source": "C", "base": "100.000000", "ratio_ppm": 60000, "value": "6.000000", "coverage_ppm": 1000000, "usdt": "4.200000", "amc": "3.600000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-30", "kind": "TeamReward", "member": "R", "source": "C", "base": "100.000000", "ratio_ppm": 40000, "value": "4.000000", "coverage_ppm": 1000000, "usdt": "2.800000", "amc": "2.400000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-30", "kind": "PairingReward", "member": "R", "source": null, "base": "500.000000", "ratio_ppm": 100000, "value": "50.000000", "coverage_ppm": 1000000, "usdt": "35.000000", "amc": "30.000000", "flushed": "0.000000"}
{"type": "refused", "line": 12, "error": "PRICE_UNAVAILABLE"}
{"type": "reward", "day": "2026-01-31", "kind": "ReferralReward", "member": "R", "source": "B", "base": "100.000000", "ratio_ppm": 100000, "value": "10.000000", "coverage_ppm": 1000000, "usdt": "7.000000", "amc": "6.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "TeamReward", "member": "R", "source": "B", "base": "100.000000", "ratio_ppm": 100000, "value": "10.000000", "coverage_ppm": 1000000, "usdt": "7.000000", "amc": "6.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "ReferralReward", "member": "R", "source": "B", "base": "91.666665", "ratio_ppm": 100000, "value": "9.166666", "coverage_ppm": 1000000, "usdt": "6.416666", "amc": "5.499998", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "TeamReward", "member": "R", "source": "B", "base": "91.666665", "ratio_ppm": 100000, "value": "9.166666", "coverage_ppm": 1000000, "usdt": "6.416666", "amc": "5.499998", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "TeamReward", "member": "C", "source": "F", "base": "500.000000", "ratio_ppm": 20000, "value": "10.000000", "coverage_ppm": 1000000, "usdt": "7.000000", "amc": "6.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "TeamReward", "member": "A", "source": "F", "base": "500.000000", "ratio_ppm": 40000, "value": "20.000000", "coverage_ppm": 1000000, "usdt": "14.000000", "amc": "12.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "TeamReward", "member": "R", "source": "F", "base": "500.000000", "ratio_ppm": 40000, "value": "20.000000", "coverage_ppm": 1000000, "usdt": "14.000000", "amc": "12.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "ReferralReward", "member": "F", "source": "G", "base": "5000.000000", "ratio_ppm": 70000, "value": "350.000000", "coverage_ppm": 1000000, "usdt": "245.000000", "amc": "210.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "TeamReward", "member": "F", "source": "G", "base": "5000.000000", "ratio_ppm": 40000, "value": "200.000000", "coverage_ppm": 1000000, "usdt": "140.000000", "amc": "120.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "TeamReward", "member": "A", "source": "G", "base": "5000.000000", "ratio_ppm": 20000, "value": "100.000000", "coverage_ppm": 1000000, "usdt": "70.000000", "amc": "60.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "TeamReward", "member": "R", "source": "G", "base": "5000.000000", "ratio_ppm": 40000, "value": "200.000000", "coverage_ppm": 1000000, "usdt": "140.000000", "amc": "120.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "ReferralReward", "member": "F", "source": "H", "base": "1000.000000", "ratio_ppm": 70000, "value": "70.000000", "coverage_ppm": 1000000, "usdt": "49.000000", "amc": "42.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "TeamReward", "member": "F", "source": "H", "base": "1000.000000", "ratio_ppm": 40000, "value": "40.000000", "coverage_ppm": 1000000, "usdt": "28.000000", "amc": "24.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "TeamReward", "member": "A", "source": "H", "base": "1000.000000", "ratio_ppm": 20000, "value": "20.000000", "coverage_ppm": 1000000, "usdt": "14.000000", "amc": "12.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "TeamReward", "member": "R", "source": "H", "base": "1000.000000", "ratio_ppm": 40000, "value": "40.000000", "coverage_ppm": 1000000, "usdt": "28.000000", "amc": "24.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "ReferralReward", "member": "C", "source": "E", "base": "100.000000", "ratio_ppm": 60000, "value": "6.000000", "coverage_ppm": 1000000, "usdt": "4.200000", "amc": "2.950819", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "TeamReward", "member": "C", "source": "E", "base": "100.000000", "ratio_ppm": 20000, "value": "2.000000", "coverage_ppm": 1000000, "usdt": "1.400000", "amc": "0.983606", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "TeamReward", "member": "A", "source": "E", "base": "100.000000", "ratio_ppm": 40000, "value": "4.000000", "coverage_ppm": 1000000, "usdt": "2.800000", "amc": "1.967213", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "TeamReward", "member": "R", "source": "E", "base": "100.000000", "ratio_ppm": 40000, "value": "4.000000", "coverage_ppm": 1000000, "usdt": "2.800000", "amc": "1.967213", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "ReferralReward", "member": "E", "source": "F", "base": "10000.000000", "ratio_ppm": 60000, "value": "600.000000", "coverage_ppm": 1000000, "usdt": "420.000000", "amc": "295.081967", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "TeamReward", "member": "E", "source": "F", "base": "10000.000000", "ratio_ppm": 20000, "value": "200.000000", "coverage_ppm": 1000000, "usdt": "140.000000", "amc": "98.360655", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "TeamReward", "member": "A", "source": "F", "base": "10000.000000", "ratio_ppm": 40000, "value": "400.000000", "coverage_ppm": 1000000, "usdt": "280.000000", "amc": "196.721311", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "TeamReward", "member": "R", "source": "F", "base": "10000.000000", "ratio_ppm": 40000, "value": "400.000000", "coverage_ppm": 1000000, "usdt": "280.000000", "amc": "196.721311", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "PairingReward", "member": "R", "source": null, "base": "191.666665", "ratio_ppm": 100000, "value": "19.166666", "coverage_ppm": 1000000, "usdt": "13.416666", "amc": "11.499998", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "PairingReward", "member": "F", "source": null, "base": "1000.000000", "ratio_ppm": 70000, "value": "70.000000", "coverage_ppm": 1000000, "usdt": "49.000000", "amc": "42.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "Interest", "member": "R", "source": null, "base": "10000.000000", "ratio_ppm": 10000, "value": "100.000000", "coverage_ppm": 500000, "usdt": "50.000000", "amc": "0.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "Interest", "member": "A", "source": null, "base": "1000.000000", "ratio_ppm": 8000, "value": "8.000000", "coverage_ppm": 500000, "usdt": "4.000000", "amc": "0.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "Interest", "member": "B", "source": null, "base": "500.000000", "ratio_ppm": 7000, "value": "3.500000", "coverage_ppm": 500000, "usdt": "1.750000", "amc": "0.000000", "flushed": "0.000000"}
{"type": "reward", "day": "2026-01-31", "kind": "Interest", "member": "C", "source": null, "base": "100.000000", "ratio_ppm": 6000, "value": "0.600000", "coverage_ppm": 500000, "usdt": "0.300000", "amc": "0.000000", "flushed": "0.000000"}
{"type": "refused", "line": 35, "error": "DAY_NOT_ENDED"}
{"type": "refused", "line": 36, "error": "DAY_OUT_OF_ORDER"}
{"type": "reward", "day": "2026-02-01", "kind": "Interest", "member": "R", "source": null, "base": "10000.000000", "ratio_ppm": 10000, "value": "100.000000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "163.934426", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "Interest", "member": "A", "source": null, "base": "1000.000000", "ratio_ppm": 8000, "value": "8.000000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "13.114754", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "Interest", "member": "B", "source": null, "base": "500.000000", "ratio_ppm": 7000, "value": "3.500000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "5.737704", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "Interest", "member": "B", "source": null, "base": "100.000000", "ratio_ppm": 6000, "value": "0.600000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "0.983606", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "Interest", "member": "B", "source": null, "base": "100.000000", "ratio_ppm": 6000, "value": "0.600000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "0.983606", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "Interest", "member": "C", "source": null, "base": "100.000000", "ratio_ppm": 6000, "value": "0.600000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "0.983606", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "Interest", "member": "F", "source": null, "base": "500.000000", "ratio_ppm": 7000, "value": "3.500000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "5.737704", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "Interest", "member": "G", "source": null, "base": "5000.000000", "ratio_ppm": 9000, "value": "45.000000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "73.770491", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-01", "kind": "Interest", "member": "H", "source": null, "base": "1000.000000", "ratio_ppm": 8000, "value": "8.000000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "13.114754", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-02", "kind": "Interest", "member": "R", "source": null, "base": "10000.000000", "ratio_ppm": 10000, "value": "100.000000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "163.934426", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-02", "kind": "Interest", "member": "A", "source": null, "base": "1000.000000", "ratio_ppm": 8000, "value": "8.000000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "13.114754", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-02", "kind": "Interest", "member": "B", "source": null, "base": "500.000000", "ratio_ppm": 7000, "value": "3.500000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "5.737704", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-02", "kind": "Interest", "member": "B", "source": null, "base": "100.000000", "ratio_ppm": 6000, "value": "0.600000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "0.983606", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-02", "kind": "Interest", "member": "B", "source": null, "base": "100.000000", "ratio_ppm": 6000, "value": "0.600000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "0.983606", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-02", "kind": "Interest", "member": "C", "source": null, "base": "100.000000", "ratio_ppm": 6000, "value": "0.600000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "0.983606", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-02", "kind": "Interest", "member": "E", "source": null, "base": "100.000000", "ratio_ppm": 6000, "value": "0.600000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "0.983606", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-02", "kind": "Interest", "member": "F", "source": null, "base": "500.000000", "ratio_ppm": 7000, "value": "3.500000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "5.737704", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-02", "kind": "Interest", "member": "F", "source": null, "base": "10000.000000", "ratio_ppm": 10000, "value": "100.000000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "163.934426", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-02", "kind": "Interest", "member": "G", "source": null, "base": "5000.000000", "ratio_ppm": 9000, "value": "45.000000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "73.770491", "flushed": "0.000000"}
{"type": "reward", "day": "2026-02-02", "kind": "Interest", "member": "H", "source": null, "base": "1000.000000", "ratio_ppm": 8000, "value": "8.000000", "coverage_ppm": 1000000, "usdt": "0.000000", "amc": "13.114754", "flushed": "0.000000"}
{"type": "member", "member": "R", "parent": null, "side": null, "level": 5, "valid": true, "balances": {"USDT": {"available": "802.849998"}, "AMC": {"available": "46.027428", "locked": "883.429942"}}, "left_team_investment": "17700.000000", "right_team_investment": "691.666665", "carry_left": "17008.333335", "carry_right": "0.000000", "team_size_all": 7, "team_size_valid": 7, "remaining_dividends": "19750.000000", "manage_award_base": "0.000000", "manage_level": 0}
{"type": "member", "member": "A", "parent": "R", "side": "left", "level": 3, "valid": true, "balances": {"USDT": {"available": "394.600000"}, "AMC": {"available": "13.500108", "locked": "303.817924"}}, "left_team_investment": "16700.000000", "right_team_investment": "0.000000", "carry_left": "16700.000000", "carry_right": "0.000000", "team_size_all": 5, "team_size_valid": 5, "remaining_dividends": "1980.000000", "manage_award_base": "0.000000", "manage_level": 0}
{"type": "member", "member": "B", "parent": "R", "side": "right", "level": 2, "valid": true, "balances": {"USDT": {"available": "1.750000"}, "AMC": {"available": "0.256828", "locked": "15.153004"}}, "left_team_investment": "0.000000", "right_team_investment": "0.000000", "carry_left": "0.000000", "carry_right": "0.000000", "team_size_all": 0, "team_size_valid": 0, "remaining_dividends": "1388.850000", "manage_award_base": "0.000000", "manage_level": 0}
{"type": "member", "member": "C", "parent": "A", "side": "left", "level": 1, "valid": true, "balances": {"USDT": {"available": "12.900000"}, "AMC": {"available": "0.563932", "locked": "11.337705"}}, "left_team_investment": "16600.000000", "right_team_investment": "0.000000", "carry_left": "16600.000000", "carry_right": "0.000000", "team_size_all": 4, "team_size_valid": 4, "remaining_dividends": "198.500000", "manage_award_base": "35.000000", "manage_level": 0}
{"type": "member", "member": "E", "parent": "C", "side": "left", "level": 1, "valid": true, "balances": {"USDT": {"available": "560.000000"}, "AMC": {"available": "13.114753", "locked": "381.311475"}}, "left_team_investment": "16500.000000", "right_team_investment": "0.000000", "carry_left": "10000.000000", "carry_right": "0.000000", "team_size_all": 3, "team_size_valid": 3, "remaining_dividends": "199.400000", "manage_award_base": "0.000000", "manage_level": 0}
{"type": "member", "member": "F", "parent": "E", "side": "left", "level": 5, "valid": true, "balances": {"USDT": {"available": "511.000000"}, "AMC": {"available": "29.391256", "locked": "584.018578"}}, "left_team_investment": "5000.000000", "right_team_investment": "1000.000000", "carry_left": "4000.000000", "carry_right": "0.000000", "team_size_all": 2, "team_size_valid": 2, "remaining_dividends": "20893.000000", "manage_award_base": "0.000000", "manage_level": 0}
{"type": "member", "member": "G", "parent": "F", "side": "left", "level": 4, "valid": true, "balances": {"AMC": {"available": "2.459016", "locked": "145.081966"}}, "left_team_investment": "0.000000", "right_team_investment": "0.000000", "carry_left": "0.000000", "carry_right": "0.000000", "team_size_all": 0, "team_size_valid": 0, "remaining_dividends": "9910.000000", "manage_award_base": "0.000000", "manage_level": 0}
{"type": "member", "member": "H", "parent": "F", "side": "right", "level": 3, "valid": true, "balances": {"AMC": {"available": "0.437158", "locked": "25.792350"}}, "left_team_investment": "0.000000", "right_team_investment": "0.000000", "carry_left": "0.000000", "carry_right": "0.000000", "team_size_all": 0, "team_size_valid": 0, "remaining_dividends": "1984.000000", "manage_award_base": "0.000000", "manage_level": 0}
{"type": "totals", "accounts": {"USDT": {"commission_pool": "4728.908334", "external": "-19930.216665", "revenue": "12918.208333"}, "AMC": {"commission_pool": "3845.720500", "external": "-16942.213113", "revenue": "10362.438524", "yield_pool": "278.360666"}, "RIF": {"external": "-3.333334", "revenue": "3.333334"}}, "sum": {"USDT": "0.000000", "AMC": "0.000000", "RIF": "0.000000", "VC": "0.000000", "DIV": "0.000000"}}
`
