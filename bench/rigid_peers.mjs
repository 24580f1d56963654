// SPDX-License-Identifier: MIT
// The rigid-body engines on npm behind one interface: push(body, fx, fy, torque), step(), and where(body). Sleeping is
// off, and shots are bullets where the engine has continuous collision.
import {createRequire} from 'node:module';
import {join} from 'node:path';

const dt = 1 / 60;
const shipCorners = [[0, 1], [-0.5, -0.5], [0.5, -0.5]];

function makePlanck(planck, scene) {
    const world = new planck.World({gravity: planck.Vec2(...scene.gravity), allowSleep: false});
    const shapeOf = body => {
        if (body.shape === 'c') return planck.Circle(body.size[0]);
        if (body.shape === 'b') return planck.Box(...body.size);
        return planck.Polygon(shipCorners.map(corner => planck.Vec2(...corner)));
    };
    const bodies = scene.bodies.map(body => {
        const made = world.createBody({
            type: body.dynamic ? 'dynamic' : 'static', position: planck.Vec2(...body.position),
            linearVelocity: planck.Vec2(...body.velocity), linearDamping: body.linearDamping,
            angularDamping: body.angularDamping, bullet: body.isShot,
        });
        made.createFixture({shape: shapeOf(body), density: body.density, friction: body.friction, restitution: body.restitution});
        return made;
    });
    return {
        push: (i, x, y, torque) => {
            bodies[i].applyForceToCenter(planck.Vec2(x, y), true);
            bodies[i].applyTorque(torque, true);
        },
        step: () => world.step(dt, 8, 3),
        where: i => bodies[i].getPosition(),
    };
}

function makeRapier(rapier, scene) {
    const world = new rapier.World({x: scene.gravity[0], y: scene.gravity[1]});
    world.timestep = dt;
    const shapeOf = body => {
        if (body.shape === 'c') return rapier.ColliderDesc.ball(body.size[0]);
        if (body.shape === 'b') return rapier.ColliderDesc.cuboid(...body.size);
        return rapier.ColliderDesc.convexHull(new Float32Array(shipCorners.flat()));
    };
    const bodies = scene.bodies.map(body => {
        const description = body.dynamic ? rapier.RigidBodyDesc.dynamic() : rapier.RigidBodyDesc.fixed();
        description.setTranslation(...body.position).setLinvel(...body.velocity).setLinearDamping(body.linearDamping)
            .setAngularDamping(body.angularDamping).setCanSleep(false).setCcdEnabled(body.isShot);
        const made = world.createRigidBody(description);
        world.createCollider(shapeOf(body).setDensity(body.density).setFriction(body.friction).setRestitution(body.restitution)
            .setRestitutionCombineRule(rapier.CoefficientCombineRule.Max), made);
        return made;
    });
    return {
        push: (i, x, y, torque) => {
            bodies[i].resetForces(true);
            bodies[i].resetTorques(true);
            bodies[i].addForce({x, y}, true);
            bodies[i].addTorque(torque, true);
        },
        step: () => world.step(),
        where: i => bodies[i].translation(),
        free: () => world.free(),
    };
}

// Its velocities are per step, its forces act for (1000/60 ms)², and y points down, which does not matter here.
function makeMatter(matter, scene) {
    const {Bodies, Body, Composite, Engine} = matter;
    const forceScale = 1e-6;
    const engine = Engine.create({enableSleeping: false, gravity: {x: scene.gravity[0], y: scene.gravity[1], scale: forceScale}});
    const bodies = scene.bodies.map(body => {
        const [x, y] = body.position;
        const options = {
            isStatic: !body.dynamic, friction: body.friction, restitution: body.restitution, frictionAir: body.linearDamping * dt,
            ...(body.dynamic ? {density: body.density} : {}),
        };
        const made = body.shape === 'c' ? Bodies.circle(x, y, body.size[0], options)
            : body.shape === 'b' ? Bodies.rectangle(x, y, 2 * body.size[0], 2 * body.size[1], options)
            : Bodies.fromVertices(x, y, [shipCorners.map(([cx, cy]) => ({x: cx, y: cy}))], options);
        if (body.dynamic) Body.setVelocity(made, {x: body.velocity[0] * dt, y: body.velocity[1] * dt});
        return made;
    });
    Composite.add(engine.world, bodies);
    return {
        push: (i, x, y, torque) => {
            Body.applyForce(bodies[i], bodies[i].position, {x: x * forceScale, y: y * forceScale});
            bodies[i].torque = torque * forceScale;
        },
        step: () => Engine.update(engine, 1000 * dt),
        where: i => bodies[i].position,
    };
}

// The engines installed below `folder`, by name: each a function from a scene to a world.
export async function peersIn(folder) {
    const require = createRequire(join(folder, 'package.json'));
    const planck = require('planck');
    const matter = require('matter-js');
    const rapier = require('@dimforge/rapier2d-compat');
    const deterministic = require('@dimforge/rapier2d-deterministic-compat');
    for (const module of [rapier, deterministic]) await module.init();
    return {
        planck: scene => makePlanck(planck, scene),
        rapier2d: scene => makeRapier(rapier, scene),
        'rapier2d-det': scene => makeRapier(deterministic, scene),
        'matter-js': scene => makeMatter(matter, scene),
    };
}
