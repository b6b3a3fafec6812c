package dev.mailroom.jackson

import dev.mailroom.MessageContract

@MessageContract(name = "kotlin.order-placed")
data class KotlinOrder(val id: String, val lines: List<KotlinLine>, val note: String? = null)

data class KotlinLine(val article: String, val amount: Int)
