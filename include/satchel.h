/*
 * Satchel: settings, secrets and logs for every program on a Linux machine.
 *
 * This is the umbrella header; a program may also include just the module it uses.
 */
#ifndef SATCHEL_H
#define SATCHEL_H

#include "satchel/base.h"
#include "satchel/cache.h"
#include "satchel/dict.h"
#include "satchel/log.h"
#include "satchel/settings.h"
#include "satchel/value.h"

#endif
